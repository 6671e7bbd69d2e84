import { z } from "zod";
import { lateObject } from "../../model/late-object.js";
import type { TokenCounts } from "../../model/token-counts.js";
import { readJsonLine } from "../read-json-line.js";

/**
 * One line of `codex exec --json`, read for the fields used here. One that is missing or of another type is
 * undefined and never costs us the rest of its line.
 */
const text = z.string().optional().catch(undefined);
const count = z.number().min(0).max(Number.MAX_SAFE_INTEGER).catch(0);

const Usage = lateObject(() => ({
  input_tokens: count,
  cached_input_tokens: count,
  cache_write_input_tokens: count,
  output_tokens: count,
}));

const Item = lateObject(() => ({
  id: text,
  type: text,
  text: text,
  message: text,
  status: text,
  command: text,
  query: text,
  tool: text,
  changes: z
    .array(z.object({ path: text }).catch({}))
    .optional()
    .catch(undefined),
}));

const Line = lateObject(() => ({
  type: z.string(),
  thread_id: text,
  message: text,
  item: Item.optional().catch(undefined),
  usage: Usage.optional().catch(undefined),
  error: z.object({ message: text }).optional().catch(undefined),
}));
export type CodexLine = z.infer<typeof Line>;
export type CodexUsage = z.infer<typeof Usage>;

export function readCodexLine(line: string): CodexLine | null {
  return readJsonLine(Line, line);
}

/** Codex counts cached tokens as input, too, and the tokens of its thoughts as output. */
export function codexTokens(usage: CodexUsage): TokenCounts {
  const { input_tokens, cached_input_tokens: cacheRead, cache_write_input_tokens: cacheWrite } = usage;
  const input = Math.max(0, input_tokens - cacheRead - cacheWrite);
  return { input, output: usage.output_tokens, cacheRead, cacheWrite };
}
