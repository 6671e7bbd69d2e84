import type { Slot } from "../core/run/ledger/slot.js";
import { type EffectContext, performEffect, type WorldEffect } from "./perform-effect.js";

interface UnderWay {
  readonly done: Promise<void>;
  readonly halt: AbortController;
}

/** What the engine does to the world, one effect per bead at a time. Each goes on by itself and wakes it at its end. */
export class EffectsUnderWay {
  readonly #effects = new Map<string, UnderWay>();
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

  /** False when the bead has one under way; that is told to hurry where what is wanted now makes it pointless. */
  start(effect: WorldEffect, slot: Slot, unsure: ReadonlySet<string>): boolean {
    const underWay = this.#effects.get(slot.bead);
    // Somebody stopped the bead, or the engine, before its agent was launched.
    if (effect.kind === "collect") underWay?.halt.abort();
    if (underWay !== undefined || unsure.has(slot.bead)) return false;
    const halt = new AbortController();
    const done = performEffect(effect, slot, { ...this.#context, halt: halt.signal }).then((more) => {
      this.#effects.delete(slot.bead);
      if (more) this.#wake();
    });
    this.#effects.set(slot.bead, { done, halt });
    return true;
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#effects.values()].map(({ done }) => done));
  }
}
