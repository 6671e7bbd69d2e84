import { type EffectFailure, sequelOf } from "./effect-failure.js";
import type { Effect, TickFacts } from "./tick-facts.js";

/** What the gate says of the default branch that agents start from. */
export type BaseGate =
  /** Nobody has asked yet, or asking failed. */
  { readonly kind: "unknown"; readonly failure: EffectFailure | null } | { readonly kind: "green" } | RedBase;

export interface RedBase {
  readonly kind: "red";
  readonly head: string;
  readonly command: string;
  readonly code: number | null;
  readonly output: string;
}

export interface BaseObstacle {
  readonly effects: readonly Effect[];
  readonly paused: "base-unknown" | "base-red";
  readonly wakeAt: number | null;
}

/**
 * What keeps the next agent from being started, although it could be: on a default branch that is red itself nothing
 * lands but what mends it. Null when nothing does.
 */
export function baseObstacle(facts: TickFacts): BaseObstacle | null {
  const { baseGate } = facts;
  switch (baseGate?.kind) {
    case undefined:
    case "green":
      return null;
    case "red":
      return { effects: [], paused: "base-red", wakeAt: null };
    case "unknown": {
      const { failure } = baseGate;
      const sequel = failure === null ? null : sequelOf(failure, facts);
      if (sequel?.kind === "wait") return { effects: [], paused: "base-unknown", wakeAt: sequel.until };
      return { effects: [{ kind: "check-base" }], paused: "base-unknown", wakeAt: null };
    }
  }
}
