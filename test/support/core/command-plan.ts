import type { Command } from "../../../src/core/commands/command.js";
import { type CommandFacts, planCommand } from "../../../src/core/control/plan-command.js";
import type { LedgerState } from "../../../src/core/run/ledger/ledger-state.js";
import { projectWith, slot, stateWith } from "./slots.js";

export const NOW = Date.parse("2026-01-01T00:00:00Z");

export const underWay: NonNullable<LedgerState["run"]> = {
  id: "r-1",
  startedAt: "2026-01-01T00:00:00Z",
  mode: "rolling",
  engineVersion: "0.1.0",
  budgetUsd: null,
  review: false,
  ended: null,
};

/** A run whose agent works on gh-7. */
export const working: LedgerState = { ...stateWith(slot({ bead: "gh-7" })), run: underWay };
export const hold = { id: "h", at: "", actor: "@alice", reason: "", evidence: null };

/** What a command comes to on the thread of gh-7, just as it was written. */
export function plan(command: Command, given: Partial<CommandFacts> = {}) {
  return planCommand(command, {
    thread: { repository: "o/r", number: 7, kind: "issue" },
    bead: "gh-7",
    config: projectWith({ max_concurrent_slots: 4 }),
    state: working,
    now: NOW,
    asked: NOW,
    ...given,
  });
}
