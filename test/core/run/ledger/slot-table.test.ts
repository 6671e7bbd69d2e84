import { describe, expect, test } from "vitest";
import type { NewEvent } from "../../../../src/core/run/ledger/ledger-event.js";
import type { LedgerState } from "../../../../src/core/run/ledger/ledger-state.js";
import { SLOT_STATUSES, type SlotStatus } from "../../../../src/core/run/ledger/slot.js";
import { dispatching } from "../../../support/core/ledgers.js";
import { acceptedSlot, append, candidate, sha, stateWith } from "../../../support/core/slots.js";

const of = { bead: "b-1", run: "r-1" };
const { branch, base, head } = candidate;

/** One of each event that may move a slot, all of the slot's own run and attempt. */
const EVENTS = {
  started: {
    ...of,
    type: "slot.started",
    data: { attempt: 1, process: { pid: 1, start: "s", boot: "b" } },
  },
  ended: {
    ...of,
    type: "slot.ended",
    data: {
      attempt: 1,
      outcome: "completed",
      detail: "",
      session: null,
      usage: { cost_usd: 1, cost_known: true },
      commits: 3,
      head: sha("d"),
    },
  },
  queued: {
    ...of,
    type: "slot.queued",
    data: { reason: "again", counts: "none", start: "resume", not_before: 9 },
  },
  passed: { ...of, type: "slot.passed", data: { attempt: 1, note: "well" } },
  accepted: {
    ...of,
    type: "slot.accepted",
    data: {
      ...{ branch, from: sha("d"), base: sha("e"), head: sha("f"), commits: 1 },
      flags: [{ kind: "undeclared", paths: ["b"], total: 1 }],
    },
  },
  reviewed: {
    ...of,
    type: "slot.reviewed",
    data: { attempt: 1, head, verdict: "clean", note: "no findings" },
  },
  finished: {
    ...of,
    type: "slot.finished",
    data: { status: "merge-pending", head, commits: 2, note: "look" },
  },
  blocked: { ...of, type: "slot.blocked", data: { reason: "enough" } },
  conflict: { ...of, type: "slot.blocked", data: { reason: "enough", status: "conflict" } },
  retry: { bead: "b-1", type: "control.retry", data: {} },
  requested: {
    ...of,
    type: "land.requested",
    data: { branch, base, head, method: "ff", by: "operator", allow_protected: false },
  },
  settled: { bead: "b-1", type: "land.settled", data: {} },
  pullRequested: { ...of, type: "pull.requested", data: { branch, base, head, method: "ff" } },
  pullLanding: { ...of, type: "pull.landing", data: { pull: 7, branch, base, head, method: "ff" } },
  pullClosed: { ...of, type: "pull.closed", data: { pull: 7, reason: "closed" } },
  pullReopened: { ...of, type: "pull.reopened", data: { pull: 7 } },
  pullMerged: { ...of, type: "pull.merged", data: { pull: 7, head: sha("f") } },
} as const satisfies Record<string, NewEvent>;
type Name = keyof typeof EVENTS;

const inHand = {
  queued: "queued",
  finished: "merge-pending",
  blocked: "blocked",
  conflict: "conflict",
} as const;

/** Where each event leads from each status; what is not here changes nothing at all. */
const LEADS: { readonly [S in SlotStatus]: { readonly [N in Name]?: SlotStatus } } = {
  queued: inHand,
  dispatching: { ...inHand, started: "running", ended: "ended" },
  running: { ...inHand, ended: "ended" },
  ended: { ...inHand, passed: "passed" },
  passed: {
    ...inHand,
    accepted: "passed",
    reviewed: "passed",
    requested: "landing",
    pullRequested: "landing",
  },
  landing: { pullClosed: "blocked", pullMerged: "merged" },
  refused: { ...inHand, requested: "landing", pullRequested: "landing" },
  "pr-opened": { retry: "queued", pullClosed: "blocked", pullMerged: "merged", pullLanding: "landing" },
  "merge-pending": { retry: "queued", requested: "landing" },
  merged: { settled: "merged" },
  blocked: { retry: "queued", requested: "landing" },
  conflict: { retry: "queued", requested: "landing" },
};

function stateOf(status: SlotStatus): LedgerState {
  const pull = { number: 7, url: "https://example.com/7" };
  if (status !== "landing") return stateWith(acceptedSlot({ status, pull, note: "before", at: "before" }));
  const state = stateWith(acceptedSlot({ status: "pr-opened", pull }));
  append(state, EVENTS.pullLanding);
  return state;
}

describe.each(SLOT_STATUSES)("%s", (status) => {
  test.each(Object.keys(EVENTS) as Name[])("%s", (name) => {
    const [before, after] = [stateOf(status), stateOf(status)];
    // Asked for at different moments, the two are the same landing.
    before.landings = structuredClone(after.landings);
    append(after, EVENTS[name]);
    const leads = LEADS[status][name];
    if (leads === undefined) expect(after).toEqual({ ...before, events: after.events });
    else {
      expect(after.slots["b-1"]?.status).toBe(leads);
      expect(after.slots["b-1"]).not.toEqual(before.slots["b-1"]);
    }
  });
});

describe("a new dispatch begins the bead anew", () => {
  test.each(["queued", "merge-pending", "merged", "conflict"] as const)("from %s", (status) => {
    const state = stateWith(
      acceptedSlot({
        status,
        review: { head, verdict: "clean", note: "" },
        report: { kind: "gate", run: "r-1", attempt: 1 },
        landed: sha("f"),
        settled: true,
        setbacks: { gate: 1, conflict: 1, style: 1, bounce: 1, error: 1 },
      }),
    );
    append(state, { bead: "b-1", run: "r-2", type: "slot.dispatching", data: dispatching });
    expect(state.slots["b-1"]).toMatchObject({
      status: "dispatching",
      run: "r-2",
      passed: [],
      candidate: null,
      review: null,
      report: null,
      refusal: null,
      landed: null,
      settled: false,
      setbacks: { gate: 0, conflict: 0, style: 0, bounce: 0, error: 0 },
    });
  });
});

describe("a slot on its way", () => {
  const again = (over: Partial<typeof dispatching> = {}): NewEvent => ({
    ...of,
    type: "slot.dispatching",
    data: { ...dispatching, attempt: 2, start: "resume", ...over },
  });
  const queued = (over: object): NewEvent => ({
    ...of,
    type: "slot.queued",
    data: { ...EVENTS.queued.data, ...over },
  });

  test("goes back with the report that lies with the attempt it is about", () => {
    const state = stateWith(acceptedSlot({ dispatchedBy: "r-0", attempt: 4 }));
    append(state, queued({ counts: "gate", report: "gate" }));
    expect(state.slots["b-1"]).toMatchObject({
      status: "queued",
      task: "implement",
      report: { kind: "gate", run: "r-0", attempt: 4 },
      setbacks: { gate: 1 },
    });
  });

  test.each(["gate", "conflict", "style", "bounce", "error"] as const)(
    "counts a setback of kind %s",
    (kind) => {
      const state = stateWith(acceptedSlot());
      append(state, queued({ counts: kind }));
      expect(state.slots["b-1"]?.setbacks).toEqual({
        gate: 0,
        conflict: 0,
        style: 0,
        bounce: 0,
        error: 0,
        [kind]: 1,
      });
    },
  );

  test("keeps its setbacks and its report for the next implementing, and nothing that was checked", () => {
    const state = stateWith(acceptedSlot({ review: { head, verdict: "blocking", note: "" } }));
    append(state, queued({ counts: "bounce", report: "review" }), again());
    expect(state.slots["b-1"]).toMatchObject({
      setbacks: { bounce: 1 },
      report: { kind: "review", attempt: 1 },
      passed: [],
      candidate: null,
      review: null,
      head,
      commits: 2,
    });
  });

  test("keeps what was checked and the implementer's session for a stage or a review", () => {
    const state = stateWith(acceptedSlot({ session: "s", sessionCostUsd: 2 }));
    append(state, queued({ task: "review" }), again({ task: "review", session: null }));
    expect(state.slots["b-1"]).toMatchObject({
      task: "review",
      passed: ["implement"],
      candidate,
      session: "s",
      sessionCostUsd: 2,
      head,
    });
  });

  test("takes neither head nor session from a reviewer, but its cost", () => {
    const state = stateWith(acceptedSlot({ status: "running", task: "review", session: "s", costUsd: 1 }));
    append(state, { ...EVENTS.ended, data: { ...EVENTS.ended.data, session: "other" } });
    expect(state.slots["b-1"]).toMatchObject({
      session: "s",
      head,
      commits: 2,
      costUsd: 2,
      sessionCostUsd: 0,
    });
  });

  test("takes the head of a stage, but not its session", () => {
    const state = stateWith(acceptedSlot({ status: "running", task: "stage:docs", session: "s" }));
    append(state, { ...EVENTS.ended, data: { ...EVENTS.ended.data, session: "other" } });
    expect(state.slots["b-1"]).toMatchObject({ session: "s", head: sha("d"), commits: 3 });
  });

  test("remembers which tasks it passed since the implementing", () => {
    const passing = (task: string, passed: string[]) => {
      const state = stateWith(acceptedSlot({ status: "ended", task, passed }));
      append(state, EVENTS.passed);
      return state.slots["b-1"]?.passed;
    };
    expect(passing("stage:docs", ["implement"])).toEqual(["implement", "stage:docs"]);
    expect(passing("implement", ["implement", "stage:docs"])).toEqual(["implement"]);
  });

  test("counts deaths of one task, not of the one before", () => {
    const state = stateWith(acceptedSlot({ status: "ended", deaths: 2 }));
    append(state, queued({ counts: "death" }));
    expect(state.slots["b-1"]?.deaths).toBe(3);
    append(state, queued({ counts: "death", task: "stage:docs" }));
    expect(state.slots["b-1"]?.deaths).toBe(1);
  });

  test("has every count at nought after a retry, and begins with the implementing", () => {
    const state = stateWith(
      acceptedSlot({
        status: "conflict",
        task: "review",
        deaths: 1,
        setbacks: { gate: 2, conflict: 2, style: 1, bounce: 2, error: 3 },
      }),
    );
    append(state, EVENTS.retry);
    expect(state.slots["b-1"]).toMatchObject({
      status: "queued",
      task: "implement",
      start: "resume",
      deaths: 0,
      setbacks: { gate: 0, conflict: 0, style: 0, bounce: 0, error: 0 },
    });
  });

  test.each<{ name: string; event: NewEvent }>([
    { name: "a pass", event: { ...EVENTS.passed, data: { attempt: 2, note: "" } } },
    { name: "a review", event: { ...EVENTS.reviewed, data: { ...EVENTS.reviewed.data, attempt: 2 } } },
  ])("$name of another attempt changes nothing", ({ event }) => {
    for (const status of ["ended", "passed"] as const) {
      const [before, after] = [stateOf(status), stateOf(status)];
      append(after, event);
      expect(after.slots).toEqual(before.slots);
    }
  });
});

test.each([
  ["blocking", { kind: "review", run: "r-1", attempt: 1 }],
  ["clean", null],
  ["degraded", null],
] as const)(
  "a review that is %s leaves the report %o for whoever takes the bead up again",
  (verdict, report) => {
    const reviewed: NewEvent = { ...EVENTS.reviewed, data: { ...EVENTS.reviewed.data, verdict } };
    const state = stateWith(acceptedSlot({ status: "passed", dispatchedBy: "r-1" }));
    append(state, reviewed);
    expect(state.slots["b-1"]?.report).toEqual(report);
  },
);
