import { readProject } from "../../../src/core/config/read-project.js";
import type { AgentEnd } from "../../../src/core/model/agent-end.js";
import { fold } from "../../../src/core/run/ledger/fold/fold.js";
import { type NewEvent, readEvent, writeEvent } from "../../../src/core/run/ledger/ledger-event.js";
import { emptyState, type Landing, type LedgerState } from "../../../src/core/run/ledger/ledger-state.js";
import type { Slot, Stage } from "../../../src/core/run/ledger/slot.js";

/** A slot whose agent runs its first attempt. */
export function slot(overrides: Partial<Slot> = {}): Slot {
  return {
    bead: "b-1",
    run: "r-1",
    dispatchedBy: "r-1",
    title: "A bead",
    status: "running",
    attempt: 1,
    tries: 1,
    task: "implement",
    asides: [],
    passed: [],
    candidate: null,
    checked: null,
    review: null,
    report: null,
    setbacks: { gate: 0, conflict: 0, style: 0, bounce: 0, error: 0 },
    refusal: null,
    pull: null,
    branchHeads: [],
    landed: null,
    landedFrom: null,
    settled: false,
    start: "fresh",
    footprint: { reads: [], writes: ["x"] },
    resources: [],
    runtime: "claude",
    model: "sonnet",
    modelWhy: "stage default (implement)",
    insteadOf: null,
    mergePolicy: "manual",
    riskTier: 2,
    timeoutSeconds: 1200,
    estimateUsd: 2,
    costUsd: 0,
    costKnown: true,
    sessionCostUsd: 0,
    sessionTokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    session: null,
    process: { pid: 7, start: "1", boot: "b" },
    commits: 0,
    head: null,
    began: null,
    uncommitted: false,
    deaths: 0,
    notBefore: 0,
    stopping: null,
    outcome: null,
    lastEnd: "",
    note: "",
    noteCode: null,
    at: "1970-01-01T00:00:00.000Z",
    ...overrides,
  };
}

/** A commit's name that can be told from others at a glance. */
export function sha(letter: string): string {
  return letter.repeat(40);
}

/** What the engine made of two commits. */
export const candidate = { branch: "main", from: sha("a"), base: sha("b"), head: sha("c") } as const;

/** An operator's wish to land two commits, as the queue keeps it. */
export function landingOf(overrides: Partial<Landing> = {}): Landing {
  return {
    id: "l-1",
    at: "",
    actor: "ann",
    bead: "b-1",
    branch: "main",
    kind: "work",
    pull: null,
    base: sha("a"),
    head: sha("b"),
    asked: sha("b"),
    method: "ff",
    by: "operator",
    allowProtected: false,
    before: "merge-pending",
    moves: 0,
    intended: null,
    ...overrides,
  };
}

/** How an agent ended that did what it was asked. */
export function agentEnd(overrides: Partial<AgentEnd> = {}): AgentEnd {
  return {
    kind: "completed",
    detail: "",
    session: "s",
    costUsd: 1,
    costKnown: true,
    retryAt: null,
    ...overrides,
  };
}

/** A required stage. */
export function stage(overrides: Partial<Stage> = {}): Stage {
  return {
    task: "stage:docs",
    model: "haiku",
    modelWhy: "stage default (docs)",
    timeoutSeconds: 60,
    estimateUsd: 0.5,
    optional: false,
    ...overrides,
  };
}

/** A slot whose commits were accepted and wait for what comes next. */
export function acceptedSlot(overrides: Partial<Slot> = {}): Slot {
  return slot({
    status: "passed",
    passed: ["implement"],
    process: null,
    commits: 2,
    head: candidate.head,
    candidate: { ...candidate },
    ...overrides,
  });
}

export function stateWith(...slots: readonly Slot[]): LedgerState {
  const state = emptyState();
  for (const each of slots) state.slots[each.bead] = { ...each };
  return state;
}

let made = 0;

/** Folds events as if they had been appended one after the other. */
export function append(state: LedgerState, ...events: readonly NewEvent[]): void {
  for (const event of events) {
    made += 1;
    const stamped = {
      ...event,
      id: `${made}`.padStart(26, "0"),
      at: "2026-01-01T00:00:00.000Z",
      actor: "test",
    };
    fold(state, readEvent(writeEvent(stamped)));
  }
}

export function projectWith(overrides: object = {}) {
  const reading = readProject(
    JSON.stringify({
      schema_version: 1,
      project_id: "p",
      work_source: "file",
      gate: ["true"],
      dispatch_stagger_seconds: 0,
      ...overrides,
    }),
  );
  if (reading.kind !== "ok") throw new Error(JSON.stringify(reading));
  return reading.config;
}
