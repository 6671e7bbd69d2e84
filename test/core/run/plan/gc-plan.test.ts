import { describe, expect, test } from "vitest";
import { gcJson } from "../../../../src/core/replies/run/gc.js";
import type { Slot, SlotStatus } from "../../../../src/core/run/ledger/slot.js";
import { type GcFacts, planGc } from "../../../../src/core/run/plan/gc-plan.js";

const DAY = 86_400_000;
const NOW = 100 * DAY;

const nothing: GcFacts = {
  now: NOW,
  days: 30,
  slots: {},
  newestRun: null,
  beads: new Map([["other", "open"]]),
  clones: [],
  homes: [],
  runs: [],
  wip: [],
  branches: [],
  leftovers: [],
};

function slot(status: SlotStatus, over: Partial<Slot> = {}): Slot {
  return { bead: "b-1", run: "r-1", dispatchedBy: "r-1", status, ...over } as Slot;
}

function verdict(facts: Partial<GcFacts>): string {
  const { remove, keep } = planGc({ ...nothing, ...facts });
  const report = { project: "p", applied: false, days: 30, keptClones: [] };
  const { removed, kept } = gcJson({ ...report, removed: remove, kept: keep });
  const verdicts = [...removed.map(({ why }) => `remove: ${why}`), ...kept.map(({ why }) => `keep: ${why}`)];
  return [...new Set(verdicts)].join("; ");
}

describe("a clone", () => {
  const clones = [{ bead: "b-1", work: false }];
  test.each<{ name: string; given: Partial<GcFacts>; says: string }>([
    ...(["queued", "dispatching", "running", "ended"] as const).map((status) => ({
      name: `stays while its slot is ${status}`,
      given: { slots: { "b-1": slot(status) } },
      says: `keep: its slot is ${status}`,
    })),
    ...(["merge-pending", "blocked"] as const).map((status) => ({
      name: `goes when its slot is ${status}`,
      given: { slots: { "b-1": slot(status) } },
      says: `remove: its slot is ${status}, waiting for a person; its commits stay in repo.git, but nothing can be mended by hand then`,
    })),
    {
      name: "goes when its bead has landed",
      given: { slots: { "b-1": slot("merged") } },
      says: "remove: its slot is merged, and whatever it committed is in repo.git",
    },
    { name: "goes without a slot", given: {}, says: "remove: no slot needs it" },
    {
      name: "with work that is in no commit always stays",
      given: { clones: [{ bead: "b-1", work: true }], beads: new Map([["b-1", "closed"]]) },
      says: "keep: it holds work that is in no commit",
    },
  ])("$name", ({ given, says }) => expect(verdict({ clones, ...given })).toBe(says));

  test("keeps its agent's home beside it, or takes it along", () => {
    const of = (work: boolean) => planGc({ ...nothing, homes: ["b-1"], clones: [{ bead: "b-1", work }] });
    expect(of(true).keep.map(({ kind }) => kind)).toEqual(["clone", "home"]);
    expect(of(false).remove.map(({ kind }) => kind)).toEqual(["clone", "home"]);
  });

  test("need not be there for a home to go", () => {
    expect(verdict({ homes: ["b-1"] })).toBe("remove: no slot needs it");
    expect(verdict({ homes: ["b-1"], slots: { "b-1": slot("queued") } })).toBe("keep: its slot is queued");
  });
});

describe("a run folder", () => {
  const old = [{ run: "r-1", changedAt: NOW - 30 * DAY }];
  test.each<{ name: string; given: Partial<GcFacts>; says: string }>([
    { name: "goes when it is old", given: {}, says: "remove: it was last written 30 days ago" },
    {
      name: "stays a day less",
      given: { runs: [{ run: "r-1", changedAt: NOW - 30 * DAY + 1 }] },
      says: "keep: it was last written 29 days ago, less than 30 days",
    },
    { name: "goes sooner when asked", given: { days: 1 }, says: "remove: it was last written 30 days ago" },
    { name: "of the newest run stays", given: { newestRun: "r-1" }, says: "keep: it is the newest run" },
    {
      name: "stays while an open slot is in it",
      given: { slots: { "b-1": slot("queued") } },
      says: "keep: b-1 is queued in it",
    },
    {
      name: "stays while it holds the attempt of a slot that another run took over",
      given: { slots: { "b-1": slot("running", { run: "r-2" }) } },
      says: "keep: b-1 is running in it",
    },
    {
      name: "goes when its slots are over",
      given: { slots: { "b-1": slot("merge-pending") } },
      says: "remove: it was last written 30 days ago",
    },
  ])("$name", ({ given, says }) => expect(verdict({ runs: old, ...given })).toBe(says));
});

describe.each(["wip", "branches"] as const)("%s of a bead", (kind) => {
  test.each<{ name: string; given: Partial<GcFacts>; says: string }>([
    {
      name: "goes when the bead is closed",
      given: { beads: new Map([["b-1", "closed"]]) },
      says: "remove: its bead is closed",
    },
    {
      name: "goes when the bead is closed and its slot was blocked",
      given: { beads: new Map([["b-1", "closed"]]), slots: { "b-1": slot("blocked") } },
      says: "remove: its bead is closed",
    },
    ...(["queued", "running", "merge-pending"] as const).map((status) => ({
      name: `stays while its slot is ${status}, closed or not`,
      given: { beads: new Map([["b-1", "closed"]]), slots: { "b-1": slot(status) } },
      says: `keep: its slot is ${status}`,
    })),
    {
      name: "stays while the bead is open",
      given: { beads: new Map([["b-1", "in_progress"]]) },
      says: "keep: its bead is in_progress",
    },
    {
      name: "goes when nobody knows the bead",
      given: {},
      says: "remove: neither the work source nor the ledger knows its bead",
    },
    {
      name: "stays when only the work source has forgotten the bead",
      given: { slots: { "b-1": slot("blocked") } },
      says: "keep: the work source does not know its bead, but the ledger has it as blocked",
    },
    {
      name: "stays while its clone holds work",
      given: { beads: new Map([["b-1", "closed"]]), clones: [{ bead: "b-1", work: true }] },
      says: "keep: it holds work that is in no commit; keep: its clone holds work that is in no commit",
    },
    {
      name: "stays when the work source is empty",
      given: { beads: new Map() },
      says: "keep: the work source lists no beads at all, which proves nothing",
    },
  ])("$name", ({ given, says }) => expect(verdict({ [kind]: ["b-1"], ...given })).toBe(says));
});

test.each([
  {
    name: "goes after a day",
    age: DAY,
    says: "remove: a process that was cut short left it more than a day ago",
  },
  { name: "stays before", age: DAY - 1, says: "keep: it is less than a day old" },
])("a leftover $name", ({ age, says }) =>
  expect(verdict({ leftovers: [{ path: "/h/trash/b-1", changedAt: NOW - age }] })).toBe(says),
);
