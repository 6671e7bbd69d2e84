import { describe, expect, test } from "vitest";
import type { Bead } from "../../../../src/core/model/bead.js";
import { nextSteps } from "../../../../src/core/replies/run/next-steps.js";
import { outcomeJson, summarise, summaryLine } from "../../../../src/core/replies/run/progress.js";
import type { Slot } from "../../../../src/core/run/ledger/slot.js";
import { type ExitWishes, runExitCode } from "../../../../src/core/run/plan/run-exit-code.js";
import { bead } from "../../../support/core/beads.js";
import { slot, stateWith } from "../../../support/core/slots.js";

const drained = { reason: "drained", code: 4 } as const;

function summaryOf(...slots: Partial<Slot>[]) {
  return summarise(stateWith(...slots.map((each) => slot(each))), "r-1", drained);
}

const finished = (bead: string): Partial<Slot> => ({
  bead,
  status: "merge-pending",
  commits: 1,
  head: `head-of-${bead}`,
});
const blocked = (bead: string): Partial<Slot> => ({ bead, status: "blocked" });
const hold = { id: "h", at: "2026-01-01T00:00:00Z", actor: "marge", reason: "later", evidence: null };

const WAITING = "waiting for a person:";

test.each<{ name: string; slots: Partial<Slot>[]; steps: string[] }>([
  { name: "nothing came of it: no step", slots: [], steps: [] },
  { name: "a queued bead is in the summary already", slots: [{ status: "queued" }], steps: [] },
  {
    name: "a blocked bead says why, and can be tried again",
    slots: [{ ...blocked("a"), note: "the agent says blocked: no licence" }],
    steps: [
      WAITING,
      "  a  blocked  koryph retry a lets it try again",
      "              the agent says blocked: no licence",
    ],
  },
  {
    name: "one with commits can also be landed as it is",
    slots: [{ ...blocked("a"), commits: 1 }],
    steps: [WAITING, "  a  blocked  koryph retry a lets it try again, koryph land a lands what it has"],
  },
  {
    name: "a bead in conflict is called so, as in status",
    slots: [{ bead: "a", status: "conflict" }],
    steps: [WAITING, "  a  conflict  koryph retry a lets it try again"],
  },
  {
    name: "every bead has its own row, as people count",
    slots: [
      blocked("a-2"),
      {
        ...blocked("a-10"),
        commits: 1,
        refusal: { result: "protected", code: "", detail: "it changes x" },
        note: "protected: it changes x",
      },
      { ...finished("c"), review: { head: "head-of-c", verdict: "blocking", note: "review blocks" } },
      finished("d"),
    ],
    steps: [
      WAITING,
      "  a-2   blocked   koryph retry a-2 lets it try again",
      "  a-10  blocked   its landing was refused (protected): after a look koryph land a-10 --allow-protected lifts .github/ and Makefile, koryph land a-10 tells how any other path lands by hand; koryph retry a-10 lets an agent do it without",
      "                  protected: it changes x",
      "  c     finished  the review blocks it: koryph tail c shows its report, koryph land c lands it all the same",
      "  d     finished  koryph land d lands it, koryph diff d shows it",
    ],
  },
  {
    name: "a landed bead asks for nothing",
    slots: [{ bead: "a", status: "merged", landed: "head" }],
    steps: [],
  },
  {
    name: "a reason that is a book is cut, and stays one line",
    slots: [{ ...blocked("a"), note: `first\nsecond ${"x".repeat(400)}` }],
    steps: [
      WAITING,
      "  a  blocked  koryph retry a lets it try again",
      `              first second ${"x".repeat(146)}…`,
    ],
  },
])("$name", ({ slots, steps }) => {
  expect(nextSteps(summaryOf(...slots))).toEqual(steps);
});

test("many are counted", () => {
  const many = Array.from({ length: 23 }, (_, at) => blocked(`b-${at}`));
  const steps = nextSteps(summaryOf(...many));
  expect(steps).toHaveLength(22);
  expect(steps.at(-1)).toBe("  and 3 more, which koryph list shows");
});

test("what is held says by whom, and is not promised to a resumed run", () => {
  const queued = (bead: string): Partial<Slot> => ({ bead, status: "queued" });
  const state = {
    ...stateWith(slot(queued("a")), slot(queued("b")), slot(finished("c"))),
    holds: { a: hold, c: { ...hold, reason: "" } },
  };
  const summary = summarise(state, "r-1", drained);
  expect(summaryLine(summary)).toBe(
    "run ended (drained): 1 finished, 0 blocked, 1 queued for koryph run --resume, 1 held; cost $0.00",
  );
  expect(nextSteps(summary)).toEqual([
    WAITING,
    "  a  queued    held by marge: later: koryph unhold a, then koryph run --resume goes on with it",
    "  c  finished  held by marge: koryph unhold c lets it go on",
  ]);
  expect(outcomeJson(summary)).toMatchObject({ queued: 2, held: 1, finished: 1 });
});

describe("what earlier runs left", () => {
  const left = (bead: string, rest: Partial<Slot>): Slot => slot({ bead, run: "r-0", commits: 1, ...rest });
  const state = {
    ...stateWith(
      left("a", { status: "merge-pending" }),
      left("c", { status: "blocked", note: "no licence" }),
      left("e", { status: "queued" }),
      left("f", { status: "queued" }),
      left("g", { status: "merged" }),
      left("h", { status: "running" }),
    ),
    holds: { f: hold },
  };

  test("is named at the end, however little this run did", () => {
    expect(nextSteps(summarise(state, "r-1", drained))).toEqual([
      "from earlier runs:",
      "  a  finished  koryph land a lands it, koryph diff a shows it",
      "  c  blocked   koryph retry c lets it try again, koryph land c lands what it has",
      "               no licence",
      "  e  queued    waits for its next attempt; koryph run --resume goes on",
      "  f  queued    held by marge: later: koryph unhold f, then koryph run --resume goes on with it",
    ]);
  });

  test("is over when the bead was closed since, and is left out when the run was about another bead", () => {
    const beads = ["a", "c", "e", "f"].map((id) => bead({ id, status: id === "a" ? "open" : "closed" }));
    const steps = (scope: Parameters<typeof summarise>[3]) =>
      nextSteps(summarise(state, "r-1", { reason: "once", code: 0 }, scope));
    const rows = ["from earlier runs:", "  a  finished  koryph land a lands it, koryph diff a shows it"];
    expect(steps({ beads })).toEqual(rows);
    expect(steps({ only: "a" })).toEqual(rows);
    expect(steps({ only: "x" })).toEqual([]);
  });

  test("is counted where there is much of it", () => {
    const many = Array.from({ length: 12 }, (_, at) => left(`p-${at + 10}`, { status: "merge-pending" }));
    const steps = nextSteps(summarise(stateWith(...many), "r-1", drained));
    expect(steps).toHaveLength(13);
    expect(steps.slice(-2)).toEqual([
      "  and 2 more, which koryph list shows",
      "koryph land --all lands all 12 that are finished",
    ]);
  });
});

describe("a run that had nothing to do says why", () => {
  const closed = bead({ id: "z", status: "closed" });
  const cycle = [bead({ id: "a", blockers: ["b"] }), bead({ id: "b", blockers: ["a"] })];
  test.each<{ name: string; beads: Bead[]; scope?: object; says: string }>([
    {
      name: "an empty backlog",
      beads: [],
      says: "nothing is ready: the work source has no beads",
    },
    { name: "a finished one", beads: [closed], says: "nothing is ready: every bead is closed" },
    {
      name: "a cycle",
      beads: cycle,
      says: "nothing is ready: of the open beads 2 waiting for others; 2 of these can never become ready (2 in a circle), `koryph plan audit` says why",
    },
    {
      name: "a blocker that does not exist",
      beads: [bead({ id: "a", blockers: ["gone"] })],
      says: "nothing is ready: of the open beads 1 waiting for others; 1 of these can never become ready (1 depends on a bead that does not exist), `koryph plan audit` says why",
    },
    {
      name: "nothing below the parent",
      beads: [closed],
      scope: { parent: "z" },
      says: "nothing is ready: no bead lies below z",
    },
    {
      name: "the one bead is closed",
      beads: [closed],
      scope: { only: "z" },
      says: "bead z is not ready: its status is closed",
    },
    {
      name: "the one bead waits",
      beads: cycle,
      scope: { only: "a" },
      says: "bead a is not ready: it waits for b",
    },
  ])("$name", ({ beads, scope, says }) => {
    const summary = summarise(stateWith(), "r-1", drained, { beads, ...scope });
    expect(nextSteps(summary)).toEqual([`  ${says}`]);
    expect(outcomeJson(summary)).toMatchObject({ idle: says });
  });

  test.each(["drained", "all-deferred"] as const)(
    "a bead that no agent gets does not hide the others (%s)",
    (reason) => {
      const epic = bead({ id: "e" });
      const passedOver = [{ bead: epic, refusal: { code: "issue_type", type: "epic" } }] as const;
      const end = { ...drained, reason, passedOver };
      expect(nextSteps(summarise(stateWith(), "r-1", end, { beads: [epic, ...cycle] }))).toEqual([
        "  not dispatched: e: non-dispatch issue_type epic",
        expect.stringContaining("besides these, nothing is ready: of the open beads 2 waiting for others"),
      ]);
    },
  );

  test("ready beads that it did not take are named with the reason", () => {
    const passedOver = [
      { bead: bead({ id: "e" }), refusal: { code: "issue_type", type: "epic" } },
      { bead: bead({ id: "b-1" }), refusal: { code: "blocked", bead: "b-1" } },
    ] as const;
    const state = stateWith(slot({ status: "blocked" }));
    const summary = summarise(state, "r-1", { ...drained, passedOver }, { beads: [bead({ id: "e" })] });
    // b-1 is among those that wait for a person.
    expect(nextSteps(summary)).toEqual([
      "  not dispatched: e: non-dispatch issue_type epic",
      WAITING,
      "  b-1  blocked  koryph retry b-1 lets it try again",
    ]);
    expect(outcomeJson(summary)).toMatchObject({
      idle: null,
      passed_over: [{ id: "e", reason_code: "issue_type", reason: "non-dispatch issue_type epic" }],
    });
  });

  test("one that did something says it of beads that wait for others, and of no others", () => {
    const idleOf = (beads: Bead[], reason: "drained" | "once" = "drained") =>
      summarise(stateWith(slot(blocked("a"))), "r-1", { reason, code: 4 }, { beads }).idle;
    const taken = bead({ id: "a", status: "in_progress" });
    expect(idleOf([taken, bead({ id: "b", blockers: ["a"] })])).toMatchObject({ taken: 1, waiting: 1 });
    expect(idleOf([taken])).toBeNull();
    expect(idleOf([taken, bead({ id: "b", blockers: ["a"] })], "once")).toBeNull();
  });
});

test.each<{ wishes: ExitWishes; code: number; blocked: number; exit: number }>([
  { wishes: {}, code: 4, blocked: 1, exit: 4 },
  { wishes: { ok: true }, code: 4, blocked: 1, exit: 0 },
  { wishes: { ok: true }, code: 1, blocked: 0, exit: 1 },
  { wishes: { strict: true }, code: 4, blocked: 1, exit: 1 },
  { wishes: { strict: true }, code: 4, blocked: 0, exit: 4 },
  { wishes: { strict: true, ok: true }, code: 4, blocked: 0, exit: 0 },
  { wishes: { strict: true, ok: true }, code: 0, blocked: 2, exit: 1 },
])("$wishes after code $code with $blocked blocked exits $exit", ({ wishes, code, blocked, exit }) => {
  expect(runExitCode({ code, blocked }, wishes)).toBe(exit);
});

test("a budget that is used up names the bead that did not fit, first", () => {
  const end = {
    reason: "budget-cap" as const,
    code: 0,
    unaffordable: { bead: "c", estimateUsd: 2.25, leftUsd: 1.5 },
  };
  const state = stateWith(slot(finished("a")), slot(blocked("b")));
  const steps = nextSteps(summarise(state, "r-1", end));
  expect(steps[0]).toBe("  budget: c may cost $2.25, and $1.50 of it is left");
  expect(steps[1]).toBe(WAITING);
});

test.each<{ name: string; given: Partial<Slot>; says: string }>([
  { name: "a known cost is told", given: { costUsd: 1.2 }, says: "; cost $1.20" },
  { name: "a known cost of nothing is told", given: {}, says: "; cost $0.00" },
  {
    name: "an estimate is told as one",
    given: { costUsd: 1.2, costKnown: false },
    says: "; cost about $1.20",
  },
  { name: "nothing is said where nobody said anything", given: { costKnown: false }, says: "" },
])("$name", ({ given, says }) => {
  expect(summaryLine(summaryOf({ ...finished("a"), ...given }))).toBe(
    `run ended (drained): 1 finished, 0 blocked${says}`,
  );
});

test("what landed is told first, and what waits for another run last", () => {
  const landed: Partial<Slot> = { bead: "a", status: "merged", landed: "head", costUsd: 1 };
  const summary = summaryOf(
    landed,
    finished("b"),
    blocked("c"),
    { bead: "d", status: "conflict" },
    {
      bead: "e",
      status: "queued",
    },
  );
  expect(summaryLine(summary)).toBe(
    "run ended (drained): 1 landed, 1 finished, 1 blocked, 1 in conflict, 1 queued for koryph run --resume; cost $1.00",
  );
  expect(outcomeJson(summary)).toEqual({
    schema_version: 1,
    run_id: "r-1",
    outcome: "complete",
    reason: "drained",
    reason_code: "drained",
    code: 4,
    dispatched: 5,
    merged: 1,
    pr_opened: 0,
    finished: 1,
    blocked: 2,
    failed: 1,
    queued: 1,
    held: 0,
    paused: [],
    cost_usd: 1,
    cost_known: true,
    models: {
      top: [],
      rest: {
        names: 0,
        agents: 0,
        cost_usd: 0,
        cost_known: true,
        api_cost_usd: 0,
        tokens: null,
        cache_hit_rate: null,
      },
    },
    error: null,
    idle: null,
    waiting: [
      {
        bead: "b",
        run_id: "r-1",
        status: "merge-pending",
        note: "",
        next: "koryph land b lands it, koryph diff b shows it",
      },
      { bead: "c", run_id: "r-1", status: "blocked", note: "", next: "koryph retry c lets it try again" },
      { bead: "d", run_id: "r-1", status: "conflict", note: "", next: "koryph retry d lets it try again" },
    ],
    passed_over: [],
  });
});
