import { answerQuestion } from "../../../src/core/control/answer-question.js";
import type { ControlCommand, ControlQuestion } from "../../../src/core/control/control-command.js";
import type { ControlDecision } from "../../../src/core/control/control-decision.js";
import type { ControlFacts } from "../../../src/core/control/control-facts.js";
import { decideControl } from "../../../src/core/control/decide-control.js";
import type { LedgerState } from "../../../src/core/run/ledger/ledger-state.js";
import type { Slot } from "../../../src/core/run/ledger/slot.js";
import { slot, stateWith } from "./slots.js";

export const NOW = Date.parse("2026-01-01T00:00:00Z");

export const underWay: NonNullable<LedgerState["run"]> = {
  id: "r-1",
  startedAt: "2026-01-01T00:00:00Z",
  mode: "rolling",
  engineVersion: "0.1.0",
  budgetUsd: null,
  review: false,
  choices: {},
  ended: null,
};

/** A run that has gh-7, in this status. */
export function taken(status: Slot["status"], overrides: Partial<Slot> = {}): LedgerState {
  return { ...stateWith(slot({ bead: "gh-7", status, ...overrides })), run: underWay };
}

/** A run whose agent works on gh-7. */
export const working = taken("running");
export const landed = taken("merged", { landed: "abc1234", settled: true });
export const hold = { id: "h", at: "", actor: "@alice", reason: "", evidence: null };

/** gh-7 is worked on, and held for a reason. */
export const heldFor = (reason: string): LedgerState => ({
  ...working,
  holds: { "gh-7": { ...hold, reason } },
});

/** A request of bob's that the engine has not acted on yet. */
export function waiting(request: LedgerState["requests"][number]["request"]): LedgerState {
  return { ...working, requests: [{ id: "q", at: "2026-01-01T00:00:00Z", actor: "@bob", request }] };
}

/** A plain one, without its bead. */
export const STOP = { verb: "stop", run: false, force: false, hold: false, drain: false } as const;

/** A command on the thread of gh-7, carried out as soon as it was written, with four agents at most. */
const onThread: ControlFacts = {
  state: working,
  ceiling: 4,
  now: NOW,
  asked: NOW,
  own: "gh-7",
  tracked: "unasked",
};

export function decide(command: ControlCommand, given: Partial<ControlFacts> = {}): ControlDecision {
  return decideControl(command, { ...onThread, ...given });
}

export function answer(
  question: ControlQuestion,
  given: Partial<ControlFacts> & { readonly pull?: number } = {},
) {
  return answerQuestion(question, { ...onThread, ...given });
}

/** A decision in a word or two. */
export function verdict(decision: ReturnType<typeof decide | typeof answer>): string {
  switch (decision.kind) {
    case "append":
      return decision.events.at(-1)?.type ?? "";
    case "refuse":
      return decision.refusal.code;
    case "already":
    case "status":
    case "why":
      return decision.kind;
  }
}
