/** One answer of a model, as the runtime's own records tell of it. */
export interface SpentMessage {
  /** Records repeat an answer when a session is resumed or forked; null where nothing tells two answers apart. */
  readonly key: string | null;
  /** In ms. */
  readonly at: number;
  readonly usd: number;
}

/** How full the provider itself has shown a window. */
export interface ToldLimit {
  readonly window: "fiveHour" | "weekly";
  readonly percent: number;
  /** In ms. */
  readonly at: number;
}

/** What a record holds, and how far it can be believed. */
export interface RecordReading {
  readonly messages: readonly SpentMessage[];
  /** Lines that should tell of an answer and cannot be read. */
  readonly broken: number;
  /** Answers of models without a price, counted at the dearest one. */
  readonly unpriced: number;
  /** Absent where such records never tell. */
  readonly limits?: readonly ToldLimit[];
}

/** The newest that was told of each window. */
export function newestLimits(limits: readonly ToldLimit[]): ToldLimit[] {
  const newest = new Map<ToldLimit["window"], ToldLimit>();
  for (const limit of limits)
    if (limit.at >= (newest.get(limit.window)?.at ?? 0)) newest.set(limit.window, limit);
  return [...newest.values()];
}

/** No answer of a model has more: what claims to is a mistake, or a way to use up an account on paper. */
export const MOST_TOKENS = 10_000_000;

/** Each answer once, with the largest sum that any line names for it: the first lines are written before its end. */
export function eachOnce(messages: Iterable<SpentMessage>): SpentMessage[] {
  const known = new Map<string, SpentMessage>();
  const others: SpentMessage[] = [];
  for (const message of messages) {
    const { key, at, usd } = message;
    const before = key === null ? undefined : known.get(key);
    if (key === null) others.push(message);
    else if (before === undefined) known.set(key, message);
    else known.set(key, { key, at: Math.min(before.at, at), usd: Math.max(before.usd, usd) });
  }
  return [...others, ...known.values()];
}

/** The lines of a record as JSON; undefined for one that is none. The last is left out while its writer is at it. */
export function* recordLines(text: string, words: readonly string[]): Generator<unknown> {
  // Most lines are prompts and what tools printed, which nobody has to take apart.
  for (const line of text.split("\n").slice(0, -1))
    if (words.some((word) => line.includes(word))) yield parsed(line);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
