import type { PullRefusal } from "../core/land/pull/pull-refusal.js";
import { OutsideFault } from "../ports/outside-fault.js";
import type { PullLandEnd } from "./land-pull.js";

/** Another landing of this machine is waited for. */
const TURN_MS = 300;
/** GitHub shows a pushed head within seconds. */
const SOON_MS = 2_000;
/** A check takes minutes: asked more seldom the longer it takes, so that a wait of hours leaves requests for others. */
const CHECK_MS = { first: 15_000, later: 60_000, laterAfter: 300_000 };
/** So many failures in a row end a wait; the landing keeps its place all the same. */
const MOST_FAULTS = 5;

export interface AwaitParts {
  /** Takes the landing as far as it goes now; null while another process of this machine lands. */
  readonly look: () => Promise<PullLandEnd | null>;
  /** Told of what it waits for, whenever it was looked at. */
  readonly waiting: (unmet: readonly PullRefusal[]) => void;
  /** Ends early when whoever waits is interrupted. */
  readonly pause: (ms: number) => Promise<void>;
  readonly now: () => number;
  readonly abort: AbortSignal;
}

/** Looks again until the landing is over, or nobody wants to wait for it any longer. */
export async function awaitLanding(parts: AwaitParts): Promise<PullLandEnd> {
  const { look, waiting, pause, now, abort } = parts;
  const since = now();
  let faults = 0;
  let looked = false;
  for (;;) {
    if (abort.aborted) return { kind: "stopped" };
    let ms = TURN_MS;
    try {
      const outcome = await look();
      if (outcome !== null) {
        if (outcome.kind !== "waiting") return outcome;
        waiting(outcome.unmet);
        ms = nextLookMs(outcome.unmet, now() - since);
        looked = true;
        faults = 0;
      }
    } catch (error) {
      faults += 1;
      // Somebody who has just asked wants to hear of it; in a wait of hours it passes.
      if (!(error instanceof OutsideFault) || !looked || faults > MOST_FAULTS) throw error;
      ms = CHECK_MS.later;
    }
    await pause(ms);
  }
}

function nextLookMs(unmet: readonly PullRefusal[], waitedMs: number): number {
  if (unmet.every(({ code }) => code === "head_not_shown")) return SOON_MS;
  return waitedMs < CHECK_MS.laterAfter ? CHECK_MS.first : CHECK_MS.later;
}
