import { z } from "zod";
import { PLAINLY } from "../../model/plainly.js";
import { costUsd, type TokenPrices } from "../prices.js";
import { MOST_TOKENS, type RecordReading, recordLines, type SpentMessage } from "../spent-message.js";
import { anthropicPrices, DEAREST_ANTHROPIC } from "./anthropic-prices.js";

const tokens = z.int().min(0).max(MOST_TOKENS);

const Answer = z.object({
  timestamp: z.iso.datetime({ offset: true }),
  requestId: z.string().nullish(),
  message: z.object({
    id: z.string().nullish(),
    model: z.string(),
    usage: z.object({
      input_tokens: tokens,
      output_tokens: tokens,
      cache_read_input_tokens: tokens.nullish(),
      cache_creation_input_tokens: tokens.nullish(),
      cache_creation: z.object({ ephemeral_1h_input_tokens: tokens.nullish() }).nullish(),
    }),
  }),
});
type Answer = z.infer<typeof Answer>;

/** Claude Code writes such messages itself, for errors and the like: no model was asked. */
const SYNTHETIC = "<synthetic>";

/** What a transcript of Claude Code tells of the model's answers. */
export function readClaudeTranscript(text: string): RecordReading {
  const messages: SpentMessage[] = [];
  let broken = 0;
  let unpriced = 0;
  for (const line of recordLines(text, ['"usage"'])) {
    if (!mayBeAnswer(line)) continue;
    const { data } = Answer.safeParse(line, PLAINLY);
    if (data === undefined) broken += 1;
    else if (data.message.model !== SYNTHETIC) {
      const { id, model, usage } = data.message;
      const prices = anthropicPrices(model);
      if (prices === null) unpriced += 1;
      messages.push({
        key: id ? `${id} ${data.requestId ?? ""}` : null,
        at: Date.parse(data.timestamp),
        usd: usdOf(usage, prices ?? DEAREST_ANTHROPIC),
      });
    }
  }
  return { messages, broken, unpriced };
}

/** What a tool printed may hold such words; only the line's own type counts. */
function mayBeAnswer(line: unknown): boolean {
  const { type, message } = (line ?? {}) as { type?: unknown; message?: { usage?: unknown } | null };
  return line === undefined || (type === "assistant" && message?.usage !== undefined);
}

/** What is kept in the cache for an hour costs twice as much as fresh input. */
function usdOf(usage: Answer["message"]["usage"], prices: TokenPrices): number {
  const written = usage.cache_creation_input_tokens ?? 0;
  const forAnHour = Math.min(written, usage.cache_creation?.ephemeral_1h_input_tokens ?? 0);
  const counts = {
    input: usage.input_tokens + 2 * forAnHour,
    output: usage.output_tokens,
    cacheRead: usage.cache_read_input_tokens ?? 0,
    cacheWrite: written - forAnHour,
  };
  return costUsd(counts, prices);
}
