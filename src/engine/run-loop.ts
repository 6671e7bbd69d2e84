import { leaseAdvice } from "../core/replies/run/run.js";
import type { Tick, TickEnd } from "../core/run/tick/tick-facts.js";
import { UserError } from "../lib/user-error.js";
import type { Engine } from "./engine.js";
import { EngineBusy } from "./lease/engine-busy.js";
import { LeaseLost } from "./lease/hold-lease.js";

export interface LoopFacts {
  readonly pollSeconds: number;
  readonly now: () => number;
  /** Resolves after so many milliseconds, or when `wake` was called before. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Resolves after so many milliseconds, whatever happens meanwhile. */
  readonly pause: (ms: number) => Promise<void>;
  /** Resolves when the run was interrupted so long ago that it ends now, whatever is still under way. */
  readonly overdue: Promise<void>;
  /** What the end of a run that is cut short may take, for each of its two steps. */
  readonly lastStepMs: number;
  /** How long to wait for another engine's lease before giving up; it may be alive for ever. */
  readonly patienceMs: number;
  readonly onWait: (holder: string, host: string, ms: number) => void;
}

/** The shortest rest between two ticks that did nothing; wakes come in bursts. */
const SHORTEST_MS = 5;

/** How a run ended; with what went wrong where it was cut short by that. */
export interface LoopEnd extends TickEnd {
  readonly failure?: UserError;
}

const INTERRUPTED: TickEnd = { reason: "interrupted", code: 0 };

/** Ticks until the run ends. An interrupted run ends in time, although something in it may never come to its end. */
export async function runLoop(engine: Engine, facts: LoopFacts): Promise<LoopEnd> {
  const ended = await Promise.race([untilEnd(engine, facts), facts.overdue.then(() => null)]);
  if (ended !== null) return ended;
  await Promise.race([engine.abandon(), facts.pause(facts.lastStepMs)]);
  await Promise.race([engine.cutShort().catch(() => {}), facts.pause(facts.lastStepMs)]);
  return INTERRUPTED;
}

/** Nothing in here waits for an agent, a clone or a backoff: those wake it. */
async function untilEnd(engine: Engine, facts: LoopFacts): Promise<LoopEnd> {
  if (!(await takeLease(engine, facts))) return INTERRUPTED;
  try {
    for (;;) {
      const tick = await tickOnce(engine);
      if (tick === null) {
        await facts.sleep(facts.pollSeconds * 1000);
        continue;
      }
      if (tick.end !== null) {
        await engine.close(tick.end.reason, tick.end.code);
        return tick.end;
      }
      // An append changes what the next look decides, so that look comes at once. So does an agent's place, also one
      // that was asked for in vain.
      if (tick.effects.some(({ kind }) => kind === "append" || kind === "consume" || kind === "admit"))
        continue;
      const until = tick.wakeAt === null ? Number.POSITIVE_INFINITY : tick.wakeAt - facts.now();
      await facts.sleep(Math.max(SHORTEST_MS, Math.min(facts.pollSeconds * 1000, until)));
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    await engine.abandon();
    // While the lease is ours, whoever comes next need not wait for it to run out.
    if (!(error instanceof LeaseLost)) await engine.close("failed", 1).catch(() => {});
    // What was done until then is done: whoever started the run is told of both.
    return { reason: "failed", code: 1, failure: error };
  }
}

/** Null when it failed for a reason that may pass. */
async function tickOnce(engine: Engine): Promise<Tick | null> {
  try {
    return await engine.tick();
  } catch (error) {
    if (await engine.outlives(error)) return null;
    throw error;
  }
}

/** False when the run was interrupted before it began. */
async function takeLease(engine: Engine, facts: LoopFacts): Promise<boolean> {
  const started = facts.now();
  for (;;) {
    const waitMs = await engine.begin();
    if (waitMs === null) return true;
    if (engine.isInterrupted) return false;
    const { holder = "unknown", host = "unknown" } = engine.leaseHolder ?? {};
    if (facts.now() + waitMs - started > facts.patienceMs)
      throw new EngineBusy("lease_held", leaseAdvice.held(holder, host));
    facts.onWait(holder, host, waitMs);
    await facts.sleep(Math.min(waitMs, facts.pollSeconds * 1000));
  }
}
