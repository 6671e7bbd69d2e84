/** A call of the engine's to the world, on a clock that only moves on; both times are the same for a moment. */
export interface TimedCall {
  readonly what: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The moment in which an agent was noticed to have ended. */
export const AGENT_ENDED = "agent ended";
/** The call that starts an agent. */
export const AGENT_STARTED = "processes.start";

interface Spread {
  readonly medianMs: number;
  readonly p90Ms: number;
}

export interface RefillTimes {
  /** How often a freed place was filled. */
  readonly refills: number;
  /** From an agent's end to the next agent's start; null where no place was filled again. */
  readonly whole: Spread | null;
  /** What was under way meanwhile, the longest first; several may be at once. */
  readonly parts: readonly (Spread & { readonly what: string; readonly calls: number })[];
}

interface Refill {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Where the time goes between an agent's end and the start of the one that gets its place. */
export function refillTimes(calls: readonly TimedCall[]): RefillTimes {
  const refills = refillsOf(calls);
  const names = [...new Set(calls.map(({ what }) => what))].filter((what) => what !== AGENT_ENDED);
  const parts = names.map((what) => {
    const own = calls.filter((call) => call.what === what);
    const within = refills.map((refill) => own.filter((call) => overlaps(call, refill)));
    const times = refills.map((refill, at) => coveredMs(within[at] ?? [], refill));
    const total = within.reduce((sum, { length }) => sum + length, 0);
    return { what, calls: total / Math.max(1, refills.length), ...(spread(times) ?? NOTHING) };
  });
  return {
    refills: refills.length,
    whole: spread(refills.map(({ fromMs, toMs }) => toMs - fromMs)),
    parts: parts
      .filter(({ p90Ms }) => p90Ms > 0)
      .sort((a, b) => b.medianMs - a.medianMs || b.p90Ms - a.p90Ms),
  };
}

const NOTHING: Spread = { medianMs: 0, p90Ms: 0 };

/** The place that has been free for longest is filled first. */
function refillsOf(calls: readonly TimedCall[]): Refill[] {
  const moments = calls
    .filter(({ what }) => what === AGENT_ENDED || what === AGENT_STARTED)
    .sort((a, b) => a.toMs - b.toMs);
  const free: number[] = [];
  return moments.flatMap(({ what, toMs }) => {
    if (what === AGENT_ENDED) free.push(toMs);
    const fromMs = what === AGENT_STARTED ? free.shift() : undefined;
    return fromMs === undefined ? [] : [{ fromMs, toMs }];
  });
}

function overlaps(call: TimedCall, { fromMs, toMs }: Refill): boolean {
  return call.fromMs < toMs && call.toMs > fromMs;
}

/** How much of the refill at least one of the calls was under way. */
function coveredMs(calls: readonly TimedCall[], { fromMs, toMs }: Refill): number {
  let covered = 0;
  let until = fromMs;
  for (const call of [...calls].sort((a, b) => a.fromMs - b.fromMs)) {
    const end = Math.min(call.toMs, toMs);
    covered += Math.max(0, end - Math.max(call.fromMs, until));
    until = Math.max(until, end);
  }
  return covered;
}

/** Null of nothing. */
function spread(values: readonly number[]): Spread | null {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return sorted.length === 0 ? null : { medianMs: at(0.5), p90Ms: at(0.9) };
}
