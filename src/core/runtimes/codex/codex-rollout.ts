import { z } from "zod";
import { PLAINLY } from "../../model/plainly.js";
import { LIST_PRICES } from "../openai-prices.js";
import { costUsd, pricesOf, type TokenPrices } from "../prices.js";
import {
  MOST_TOKENS,
  newestLimits,
  type RecordReading,
  recordLines,
  type SpentMessage,
  type ToldLimit,
} from "../spent-message.js";
import { type CodexUsage, codexTokens } from "./codex-line.js";

const counter = z.int().min(0);
const Counter = z.object({
  input_tokens: counter,
  cached_input_tokens: counter.default(0),
  cache_write_input_tokens: counter.default(0),
  output_tokens: counter,
});

const Count = z.object({
  timestamp: z.iso.datetime({ offset: true }),
  payload: z.object({
    // Null where the line tells of rate limits only.
    info: z.object({ total_token_usage: Counter, last_token_usage: Counter.nullish() }).nullable(),
  }),
});

const Limit = z.object({ used_percent: z.number().min(0).max(100), window_minutes: z.number() }).nullish();
const Limits = z.object({
  timestamp: z.iso.datetime({ offset: true }),
  payload: z.object({ rate_limits: z.object({ primary: Limit, secondary: Limit }) }),
});
const WINDOWS = { 300: "fiveHour", 10080: "weekly" } as const;

const Turn = z.object({ payload: z.object({ model: z.string() }) });

/** What a model that nobody knows is counted at: too much rather than too little. */
const DEAREST = Object.values(LIST_PRICES).reduce((a, b) => (b.output_usd > a.output_usd ? b : a));

/** What a rollout of Codex tells of the model's answers: its counters grow, and each line is what came on top. */
export function readCodexRollout(text: string): RecordReading {
  const messages: SpentMessage[] = [];
  let broken = 0;
  let unpriced = 0;
  let model = "";
  let before: CodexUsage | null = null;
  const limits: ToldLimit[] = [];
  for (const line of recordLines(text, ['"turn_context"', '"token_count"'])) {
    const kind = kindOf(line);
    if (kind === "turn") model = Turn.safeParse(line, PLAINLY).data?.payload.model ?? model;
    if (kind !== "count") continue;
    limits.push(...limitsIn(line));
    const { data } = Count.safeParse(line, PLAINLY);
    const info = data?.payload.info;
    if (info === null) continue;
    const added = info && addedTo(before, info.total_token_usage, info.last_token_usage);
    if (data === undefined || !info || !added || isTooMuch(added)) {
      broken += 1;
      continue;
    }
    const total = info.total_token_usage;
    before = total;
    if (added.input_tokens + added.output_tokens === 0) continue;
    const priced = pricesOf(model, {});
    if (priced === null) unpriced += 1;
    messages.push({
      key: `${data.timestamp} ${total.input_tokens} ${total.output_tokens}`,
      at: Date.parse(data.timestamp),
      usd: usdOf(added, priced?.prices ?? DEAREST),
    });
  }
  return { messages, broken, unpriced, limits: newestLimits(limits) };
}

/** Recent versions say with each count how full the provider shows the account's windows. */
function limitsIn(line: unknown): ToldLimit[] {
  const { data } = Limits.safeParse(line, PLAINLY);
  if (data === undefined) return [];
  const at = Date.parse(data.timestamp);
  const { primary, secondary } = data.payload.rate_limits;
  return [primary, secondary].flatMap((limit) => {
    const window = limit && WINDOWS[limit.window_minutes as keyof typeof WINDOWS];
    return limit && window ? [{ window, percent: limit.used_percent, at }] : [];
  });
}

/** A counter that begins in the middle of a thread, or anew, tells with its first line what the last answer took. */
function addedTo(
  before: CodexUsage | null,
  total: CodexUsage,
  last: CodexUsage | null | undefined,
): CodexUsage {
  if (
    before === null ||
    total.input_tokens < before.input_tokens ||
    total.output_tokens < before.output_tokens
  )
    return last ?? total;
  return {
    input_tokens: total.input_tokens - before.input_tokens,
    cached_input_tokens: Math.max(0, total.cached_input_tokens - before.cached_input_tokens),
    cache_write_input_tokens: Math.max(0, total.cache_write_input_tokens - before.cache_write_input_tokens),
    output_tokens: total.output_tokens - before.output_tokens,
  };
}

function isTooMuch({ input_tokens, output_tokens }: CodexUsage): boolean {
  return input_tokens > MOST_TOKENS || output_tokens > MOST_TOKENS;
}

function usdOf(added: CodexUsage, prices: TokenPrices): number {
  return costUsd(codexTokens(added), prices);
}

/** What a tool printed may hold such words; only the line's own type counts. A line that is no JSON may be a count. */
function kindOf(line: unknown): "turn" | "count" | "other" {
  const { type, payload } = (line ?? {}) as { type?: unknown; payload?: { type?: unknown } | null };
  if (type === "turn_context") return "turn";
  const isCount = type === "event_msg" && payload?.type === "token_count";
  return line === undefined || isCount ? "count" : "other";
}
