import { describe, expect, test } from "vitest";
import { nextSteps } from "../../../../src/core/replies/run/next-steps.js";
import { outcomeJson, summarise, summaryLine } from "../../../../src/core/replies/run/progress.js";
import type { Slot } from "../../../../src/core/run/ledger/slot.js";
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

test.each<{ name: string; slots: Partial<Slot>[]; repository?: string; steps: string[] }>([
  { name: "nothing came of it: no step", slots: [], steps: [] },
  { name: "a queued bead is in the summary already", slots: [{ status: "queued" }], steps: [] },
  {
    name: "a blocked bead without commits can be looked at and tried again",
    slots: [blocked("a")],
    steps: ["  blocked: a; koryph status says why, koryph retry a lets it try again"],
  },
  {
    name: "one with commits can also be landed as it is",
    slots: [{ ...blocked("a"), commits: 1 }],
    steps: [
      "  blocked: a; koryph status says why, koryph retry a lets it try again, koryph land a lands what it has",
    ],
  },
  {
    name: "a bead in conflict counts as blocked",
    slots: [{ bead: "a", status: "conflict" }],
    steps: ["  blocked: a; koryph status says why, koryph retry a lets it try again"],
  },
  {
    name: "beads that different things bring on have a line each",
    slots: [
      blocked("a"),
      { ...blocked("b"), commits: 1, refusal: { result: "protected", code: "", detail: "it changes x" } },
      { ...finished("c"), review: { head: "head-of-c", verdict: "blocking", note: "review blocks" } },
      finished("d"),
    ],
    steps: [
      "  blocked: a; koryph status says why, koryph retry a lets it try again",
      "  blocked: b; its landing was refused (protected): after a look koryph land b --allow-protected lifts .github/ and Makefile, any other path lands by hand (docs/landing.md)",
      "  finished: c; the review blocks it: koryph tail c shows its report, koryph land c lands it all the same",
      "  finished: koryph land d; to look at it first: git fetch /h/repo.git head-of-d:refs/heads/agent/d",
    ],
  },
  {
    name: "a landed bead asks for nothing",
    slots: [{ bead: "a", status: "merged", landed: "head" }],
    steps: [],
  },
  {
    name: "of several blocked ones the first is named",
    slots: [blocked("b"), blocked("a"), blocked("c")],
    steps: ["  blocked: a and 2 more; koryph status says why, koryph retry a lets it try again"],
  },
  {
    name: "a finished branch is fetched by its head, which nothing hides",
    slots: [finished("a")],
    steps: [
      "  finished: koryph land a; to look at it first: git fetch /h/repo.git head-of-a:refs/heads/agent/a",
    ],
  },
  {
    name: "of several finished branches the first is the example",
    slots: ["c", "a", "b"].map(finished),
    steps: [
      "  finished: koryph land a (and 2 more); to look at it first: git fetch /h/repo.git head-of-a:refs/heads/agent/a",
    ],
  },
  {
    name: "a path that a shell would take apart is quoted",
    slots: [finished("a")],
    repository: "/h/it's mine/repo.git",
    steps: [
      `  finished: koryph land a; to look at it first: git fetch '/h/it'\\''s mine/repo.git' head-of-a:refs/heads/agent/a`,
    ],
  },
])("$name", ({ slots, repository = "/h/repo.git", steps }) => {
  expect(nextSteps(summaryOf(...slots), repository)).toEqual(steps);
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
  expect(nextSteps(summary, "/h/repo.git")).toEqual([
    "  queued: a; held by marge: later: koryph unhold a, then koryph run --resume goes on with it",
    "  finished: c; held by marge: koryph unhold c lets it go on",
  ]);
  expect(outcomeJson(summary)).toMatchObject({ queued: 2, held: 1, finished: 1 });
});

describe("what earlier runs left", () => {
  const left = (bead: string, rest: Partial<Slot>): Slot => slot({ bead, run: "r-0", commits: 1, ...rest });
  const state = {
    ...stateWith(
      left("a", { status: "merge-pending" }),
      left("b", { status: "merge-pending" }),
      left("c", { status: "blocked" }),
      left("d", { status: "merge-pending", note: "gate-failed: make test ended with 2" }),
      left("e", { status: "queued" }),
      left("f", { status: "queued" }),
      left("g", { status: "merged" }),
      left("h", { status: "running" }),
    ),
    holds: { f: hold },
  };

  test("is named at the end, however little this run did", () => {
    expect(nextSteps(summarise(state, "r-1", drained), "/h/repo.git")).toEqual([
      "  from earlier runs: 2 wait for koryph land: a, b",
      "  from earlier runs: 1 waits: f; held by marge: later: koryph unhold f, then koryph run --resume goes on with it",
      "  from earlier runs: 1 queued: e; koryph run --resume goes on",
      "  from earlier runs: 2 wait for a person: c, d; koryph status --frontier tells what brings each on",
    ]);
  });

  test("is over when the bead was closed since, and is left out when the run was about another bead", () => {
    const steps = (left: Parameters<typeof summarise>[3]) =>
      nextSteps(summarise(state, "r-1", drained, left), "/h/repo.git");
    expect(steps({ closed: new Set(["a", "c", "d", "e", "f"]) })).toEqual([
      "  from earlier runs: 1 waits for koryph land: b",
    ]);
    expect(steps({ only: "b" })).toEqual(["  from earlier runs: 1 waits for koryph land: b"]);
    expect(steps({ only: "x" })).toEqual([]);
  });

  test("is counted where there is much of it", () => {
    const many = Array.from({ length: 12 }, (_, at) => left(`p-${at + 10}`, { status: "merge-pending" }));
    expect(nextSteps(summarise(stateWith(...many), "r-1", drained), "/h/repo.git")).toEqual([
      "  from earlier runs: 12 wait for koryph land: p-10, p-11, p-12, p-13, p-14 and 7 more",
    ]);
  });
});

test("a budget that is used up names the bead that did not fit, first", () => {
  const end = {
    reason: "budget-cap" as const,
    code: 0,
    unaffordable: { bead: "c", estimateUsd: 2.25, leftUsd: 1.5 },
  };
  const state = stateWith(slot(finished("a")), slot(blocked("b")));
  const steps = nextSteps(summarise(state, "r-1", end), "/h/repo.git");
  expect(steps[0]).toBe("  budget: c may cost $2.25, and $1.50 of it is left");
  expect(steps).toHaveLength(3);
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
    "run ended (drained): 1 landed, 1 finished, 2 blocked, 1 queued for koryph run --resume; cost $1.00",
  );
  expect(outcomeJson(summary)).toEqual({
    run_id: "r-1",
    reason: "drained",
    code: 4,
    merged: 1,
    finished: 1,
    blocked: 2,
    queued: 1,
    held: 0,
    cost_usd: 1,
    cost_known: true,
  });
});
