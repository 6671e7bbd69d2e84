import { backoff } from "../../../lib/backoff.js";
import type { SlotEffect, TickFacts } from "./tick-facts.js";

/** Whether the cause lies with this bead, or with something that every bead needs: the remote, the disk, the tracker. */
export type Blame = "own" | "outside";

/** What the engine tried for a slot in vain. It is forgotten with the first success. */
export interface EffectFailure {
  readonly effect: Exclude<SlotEffect["kind"], "append"> | "check-base";
  readonly why: string;
  readonly fault: Blame;
  /** How often in a row. */
  readonly tries: number;
  /** When it failed last (ms). */
  readonly at: number;
}

/** What fails again and again for a reason of the bead's own waits for a person. */
const MOST_TRIES = 3;
const WAIT_SECONDS = { first: 2, longest: 60 };

export function isGivenUp({ fault, tries }: Pick<EffectFailure, "fault" | "tries">): boolean {
  return fault === "own" && tries >= MOST_TRIES;
}

export type FailureSequel =
  | { readonly kind: "again" }
  | { readonly kind: "wait"; readonly until: number }
  | { readonly kind: "give-up"; readonly failure: EffectFailure };

/**
 * Whether an effect is tried once more. A bead is given up for its own faults only: what lies outside is waited for.
 * An interrupted run waits for nothing.
 */
export function afterFailure(
  effect: EffectFailure["effect"],
  bead: string,
  facts: Pick<TickFacts, "failures" | "now" | "interrupted" | "options">,
): FailureSequel {
  const failure = facts.failures?.get(bead);
  return failure?.effect === effect ? sequelOf(failure, facts) : { kind: "again" };
}

export function sequelOf(
  failure: EffectFailure,
  { now, interrupted, options }: Pick<TickFacts, "now" | "interrupted" | "options">,
): FailureSequel {
  if (interrupted || isGivenUp(failure)) return { kind: "give-up", failure };
  const first = Math.min(options.backoffSeconds ?? WAIT_SECONDS.first, WAIT_SECONDS.longest);
  const until = failure.at + backoff({ ...WAIT_SECONDS, first }, failure.tries - 1) * 1000;
  // A time that lies far ahead because a clock was set back is not waited for.
  const early = until > now && until <= now + WAIT_SECONDS.longest * 1000;
  return early ? { kind: "wait", until } : { kind: "again" };
}
