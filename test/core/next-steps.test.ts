import { expect, test } from "vitest";
import { nextSteps } from "../../src/core/replies/next-steps.js";
import { outcomeJson, summarise, summaryLine } from "../../src/core/replies/progress.js";
import type { Slot } from "../../src/core/run/slot.js";
import { slot, stateWith } from "../support/slots.js";

const drained = { reason: "drained", code: 4 };

function summaryOf(...slots: Partial<Slot>[]) {
  return summarise(stateWith(...slots.map((each) => slot(each))), "r-1", drained);
}

const finished = (bead: string): Partial<Slot> => ({
  bead,
  status: "merge-pending",
  head: `head-of-${bead}`,
});
const blocked = (bead: string): Partial<Slot> => ({ bead, status: "blocked" });

test.each<{ name: string; slots: Partial<Slot>[]; repository?: string; steps: string[] }>([
  { name: "nothing came of it: no step", slots: [], steps: [] },
  { name: "a queued bead is in the summary already", slots: [{ status: "queued" }], steps: [] },
  { name: "another run's beads are its own", slots: [{ ...finished("a"), run: "r-0" }], steps: [] },
  {
    name: "a blocked bead can be looked at and tried again",
    slots: [blocked("a")],
    steps: [
      "  blocked: a; koryph status says why, koryph retry a lets it try again, koryph land a lands what it has",
    ],
  },
  {
    name: "a bead in conflict counts as blocked",
    slots: [{ bead: "a", status: "conflict" }],
    steps: [
      "  blocked: a; koryph status says why, koryph retry a lets it try again, koryph land a lands what it has",
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
    steps: [
      "  blocked: a and 2 more; koryph status says why, koryph retry a lets it try again, koryph land a lands what it has",
    ],
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

test("a budget that is used up names the bead that did not fit; all steps are at most three lines", () => {
  const end = {
    reason: "budget-cap",
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
    cost_usd: 1,
    cost_known: true,
  });
});
