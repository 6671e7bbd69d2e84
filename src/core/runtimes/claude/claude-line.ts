import { z } from "zod";
import { lateObject } from "../../model/late-object.js";
import { readJsonLine } from "../read-json-line.js";

/**
 * One line of `claude -p --output-format stream-json`, read for the fields used here. Fields differ between
 * versions, so one that is missing or of another type is undefined and never costs us the rest of its line.
 */
const text = z.string().optional().catch(undefined);
const number = z.number().optional().catch(undefined);
const yes = z.literal(true).optional().catch(undefined);

const count = z.number().min(0).max(1e12).catch(0);

const Usage = lateObject(() => ({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
}));

const ContentBlock = lateObject(() => ({
  type: text,
  text: text,
  id: text,
  name: text,
  tool_use_id: text,
  is_error: yes,
  input: z.unknown().optional(),
}));

const Denial = lateObject(() => ({ tool_name: text, tool_use_id: text, tool_input: z.unknown().optional() }));

const Line = lateObject(() => ({
  type: z.string(),
  subtype: text,
  session_id: text,
  parent_tool_use_id: text,

  model: text,
  claude_code_version: text,

  error: text,
  message: z
    .object({ content: z.array(ContentBlock.catch({})).optional().catch(undefined), stop_reason: text })
    .optional()
    .catch(undefined),

  attempt: number,
  retry_delay_ms: number,
  error_status: number,

  rate_limit_info: z.object({ status: text, resetsAt: number }).optional().catch(undefined),

  tool_name: text,
  tool_use_id: text,

  is_error: yes,
  api_error_status: number,
  stop_reason: text,
  terminal_reason: text,
  result: text,
  errors: z.array(z.unknown()).optional().catch(undefined),
  total_cost_usd: z.number().min(0).optional().catch(undefined),
  usage: Usage.optional().catch(undefined),
  structured_output: z.unknown().optional(),
  permission_denials: z.array(Denial.catch({})).optional().catch(undefined),
}));
export type ClaudeLine = z.infer<typeof Line>;
export type ClaudeDenial = z.infer<typeof Denial>;

export function readClaudeLine(line: string): ClaudeLine | null {
  return readJsonLine(Line, line);
}
