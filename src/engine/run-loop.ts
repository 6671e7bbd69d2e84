import { leaseAdvice } from "../core/replies/run/run.js";
import type { TickEnd } from "../core/run/tick/tick-facts.js";
import { UserError } from "../lib/user-error.js";
import type { Engine } from "./engine.js";
import { LeaseLost } from "./lease/hold-lease.js";

export interface LoopFacts {
  readonly pollSeconds: number;
  readonly now: () => number;
  /** Resolves after so many milliseconds, or when `wake` was called before. */
  readonly sleep: (ms: number) => Promise<void>;
  /** How long to wait for another engine's lease before giving up; it may be alive for ever. */
  readonly patienceMs: number;
  readonly onWait: (holder: string, host: string, ms: number) => void;
}

/** The shortest rest between two ticks that did nothing; wakes come in bursts. */
const SHORTEST_MS = 5;

/** Ticks until the run ends. Nothing in here waits for an agent, a clone or a backoff: those wake it. */
export async function runLoop(engine: Engine, facts: LoopFacts): Promise<TickEnd> {
  await takeLease(engine, facts);
  try {
    for (;;) {
      const tick = await engine.tick();
      if (tick.end !== null) {
        await engine.close(tick.end.reason, tick.end.code);
        return tick.end;
      }
      // An append changes what the next look decides, so that look comes at once.
      if (tick.effects.some(({ kind }) => kind === "append" || kind === "consume")) continue;
      const until = tick.wakeAt === null ? Number.POSITIVE_INFINITY : tick.wakeAt - facts.now();
      await facts.sleep(Math.max(SHORTEST_MS, Math.min(facts.pollSeconds * 1000, until)));
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    await engine.abandon();
    // While the lease is ours, whoever comes next need not wait for it to run out.
    if (!(error instanceof LeaseLost)) await engine.close("failed", 1).catch(() => {});
    throw error;
  }
}

async function takeLease(engine: Engine, facts: LoopFacts): Promise<void> {
  const started = facts.now();
  for (;;) {
    const waitMs = await engine.begin();
    if (waitMs === null) return;
    const { holder = "unknown", host = "unknown" } = engine.leaseHolder ?? {};
    if (facts.now() + waitMs - started > facts.patienceMs) throw UserError.of(leaseAdvice.held(holder, host));
    facts.onWait(holder, host, waitMs);
    await facts.sleep(Math.min(waitMs, facts.pollSeconds * 1000));
  }
}
