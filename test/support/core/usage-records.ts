/** When the answers of made-up records were given, unless told. */
const ANSWERED = "2026-11-19T12:00:00.000Z";

export interface AnswerFields {
  readonly at?: string;
  readonly model?: string;
  readonly id?: string | null;
  readonly request?: string;
  readonly input?: number;
  readonly output?: number;
  readonly read?: number;
  readonly written?: number;
  readonly anHour?: number;
}

/** A line of Claude Code's with an answer; Sonnet's unless told. */
export function answer(fields: AnswerFields) {
  const { at = ANSWERED, model = "claude-sonnet-4-5-20250929", id = "msg_1", request = "req_1" } = fields;
  return {
    type: "assistant",
    timestamp: at,
    requestId: request,
    message: {
      ...(id !== null && { id }),
      model,
      usage: {
        input_tokens: fields.input ?? 0,
        output_tokens: fields.output ?? 0,
        cache_read_input_tokens: fields.read ?? 0,
        cache_creation_input_tokens: fields.written ?? 0,
        cache_creation: { ephemeral_1h_input_tokens: fields.anHour ?? 0 },
      },
    },
  };
}

/** A line of Codex' with its counters; `second` is when in the minute it was written. */
export function count(second: number, input: number, total: object = {}, last: object | null = null) {
  return {
    type: "event_msg",
    timestamp: `2026-11-19T12:00:0${second}.000Z`,
    payload: {
      type: "token_count",
      info: {
        total_token_usage: { input_tokens: input, cached_input_tokens: 0, output_tokens: 0, ...total },
        last_token_usage: last,
      },
    },
  };
}

export function transcript(lines: readonly unknown[]): string {
  return lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
}

/** On a model whose input costs 1.75 USD for a million tokens. */
export function rollout(lines: readonly unknown[]): string {
  return transcript([{ type: "turn_context", payload: { model: "gpt-5.2" } }, ...lines]);
}
