/** Tokens by what is paid for them: each one is counted once. */
export interface TokenCounts {
  /** Neither read from a cache nor written to one. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export const NO_TOKENS: TokenCounts = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export function addTokens(one: TokenCounts, other: TokenCounts): TokenCounts {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
  };
}

/** What a session's counter has gained. One that is below what it had begins anew, so all of it is new. */
export function tokensSince(counter: TokenCounts, before: TokenCounts): TokenCounts {
  const gained = {
    input: counter.input - before.input,
    output: counter.output - before.output,
    cacheRead: counter.cacheRead - before.cacheRead,
    cacheWrite: counter.cacheWrite - before.cacheWrite,
  };
  return Object.values(gained).some((count) => count < 0) ? counter : gained;
}

/** How much of what a model read came from its provider's cache; null where nothing is known to have been read. */
export function cacheHitRate(tokens: TokenCounts | undefined): number | null {
  if (tokens === undefined) return null;
  const read = tokens.input + tokens.cacheRead + tokens.cacheWrite;
  return read > 0 ? tokens.cacheRead / read : null;
}
