import { FRESH_MEMORY, type SlotObservation, type TickFacts } from "../../../src/core/run/tick/tick-facts.js";
import { projectWith, stateWith } from "./slots.js";

/** A rolling run, `r-1`, in which nothing is at work and nothing is ready. */
export function tickFacts(overrides: Partial<TickFacts> = {}): TickFacts {
  return {
    state: stateWith(),
    run: "r-1",
    now: 5_000_000,
    config: projectWith(),
    options: { mode: "rolling", once: false },
    memory: FRESH_MEMORY,
    observations: new Map(),
    work: { ready: [], all: [] },
    interrupted: false,
    ...overrides,
  };
}

/** A slot that nobody has looked at yet. */
export function observed(overrides: Partial<SlotObservation> = {}): SlotObservation {
  return {
    worktree: "absent",
    process: { kind: "none" },
    claim: null,
    left: null,
    judged: null,
    accepted: null,
    checked: null,
    ...overrides,
  };
}
