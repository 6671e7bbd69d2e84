import { z } from "zod";
import { lateObject } from "../../model/late-object.js";
import { readJsonLine } from "../read-json-line.js";

/**
 * One line of `opencode run --format json`, read for the fields used here. One that is missing or of another
 * type is undefined and never costs us the rest of its line.
 */
const text = z.string().optional().catch(undefined);
const amount = z.number().min(0).max(Number.MAX_SAFE_INTEGER).catch(0);

const Tokens = lateObject(() => ({
  input: amount,
  output: amount,
  reasoning: amount,
  cache: z.object({ read: amount, write: amount }).catch({ read: 0, write: 0 }),
}));

const Part = lateObject(() => ({
  text: text,
  tool: text,
  reason: text,
  cost: amount.optional(),
  tokens: Tokens.optional().catch(undefined),
  state: z.object({ status: text, error: text, input: z.unknown().optional() }).optional().catch(undefined),
}));

const Headers = lateObject(() => ({ "retry-after": text, "retry-after-ms": text, date: text }));

const Failure = lateObject(() => ({
  name: text,
  data: z
    .object({
      message: text,
      statusCode: z.number().optional().catch(undefined),
      responseBody: text,
      responseHeaders: Headers.optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
}));

const Line = lateObject(() => ({
  type: z.string(),
  sessionID: text,
  part: Part.optional().catch(undefined),
  error: Failure.optional().catch(undefined),
}));
export type OpencodeLine = z.infer<typeof Line>;

export function readOpencodeLine(line: string): OpencodeLine | null {
  return readJsonLine(Line, line);
}
