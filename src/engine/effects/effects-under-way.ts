import { effectTrouble } from "../../core/replies/run/effect-trouble.js";
import type { Slot } from "../../core/run/ledger/slot.js";
import { type EffectFailure, isGivenUp } from "../../core/run/tick/effect-failure.js";
import { markerOf } from "../marker.js";
import { nextTowardsLaunch } from "./next-towards-launch.js";
import { type EffectContext, type EffectResult, performEffect, type WorldEffect } from "./perform-effect.js";

interface UnderWay {
  readonly done: Promise<void>;
  readonly halt: AbortController;
}

/** What the engine does to the world, one effect per bead at a time. Each goes on by itself and wakes it at its end. */
export class EffectsUnderWay {
  readonly #effects = new Map<string, UnderWay>();
  /** By attempt: the next one has a chance of its own. */
  readonly #failures = new Map<string, EffectFailure>();
  readonly #context: Omit<EffectContext, "halt">;
  readonly #wake: () => void;

  constructor(context: Omit<EffectContext, "halt">, wake: () => void) {
    this.#context = context;
    this.#wake = wake;
  }

  /** What is seen of these may be from before their effect was done, and would have it done twice. */
  beads(): ReadonlySet<string> {
    return new Set(this.#effects.keys());
  }

  /** What was tried in vain for these slots' present attempts, by bead. */
  failures(slots: readonly Slot[]): ReadonlyMap<string, EffectFailure> {
    return new Map(
      slots.flatMap((slot) => {
        const failure = this.#failures.get(markerOf(slot));
        return failure === undefined ? [] : [[slot.bead, failure] as const];
      }),
    );
  }

  /** False when the bead has one under way; that is told to hurry where what is wanted now makes it pointless. */
  start(effect: WorldEffect, slot: Slot, unsure: ReadonlySet<string>): boolean {
    const underWay = this.#effects.get(slot.bead);
    // Somebody stopped the bead, or the engine, before its agent was launched.
    if (effect.kind === "collect") underWay?.halt.abort();
    if (underWay !== undefined || unsure.has(slot.bead)) return false;
    const halt = new AbortController();
    const done = this.#perform(effect, slot, halt.signal).then((result) => {
      this.#effects.delete(slot.bead);
      if (result.kind === "seen") this.#wake();
    });
    this.#effects.set(slot.bead, { done, halt });
    return true;
  }

  /** One after the other as far as a launch: between its steps there is nothing to decide, unless it is halted. */
  async #perform(effect: WorldEffect, slot: Slot, halt: AbortSignal): Promise<EffectResult> {
    const result = await performEffect(effect, slot, { ...this.#context, halt });
    this.#remember(effect.kind, slot, result);
    if (result.kind !== "seen" || halt.aborted) return result;
    const next = await nextTowardsLaunch(effect, slot, this.#context);
    return next === null || halt.aborted ? result : this.#perform(next, slot, halt);
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#effects.values()].map(({ done }) => done));
  }

  #remember(effect: WorldEffect["kind"], slot: Slot, result: EffectResult): void {
    // Somebody else's turn says nothing about what failed before.
    if (result.kind === "nothing") return;
    const key = markerOf(slot);
    const before = this.#failures.get(key);
    if (result.kind !== "failed") {
      if (before?.effect !== effect) return;
      this.#failures.delete(key);
      this.#context.troubles.over(effect);
      return;
    }
    const { why, fault } = result;
    // Trouble outside says nothing about the bead, so only its own failures in a row are counted.
    const inRow = before?.effect === effect && before.fault === fault ? before.tries : 0;
    const at = this.#context.parts.now();
    const failure = { effect, why, fault, tries: inRow + 1, at };
    this.#failures.set(key, failure);
    // Nothing else is going to tell: a bead that has landed is not blocked.
    if (effect === "settle" && isGivenUp(failure))
      this.#context.troubles.say(`giving up ${slot.bead}`, effectTrouble.unsettled(slot.bead, failure.tries));
  }
}
