import { describe, expect, test } from "vitest";
import { statusWord } from "../../../../src/core/replies/beads/status-word.js";
import { freeableLine, gcJson, gcText } from "../../../../src/core/replies/run/gc.js";
import type { Slot, SlotStatus } from "../../../../src/core/run/ledger/slot.js";
import { type GcFacts, planGc } from "../../../../src/core/run/plan/gc-plan.js";

const DAY = 86_400_000;
const NOW = 100 * DAY;

const nothing: GcFacts = {
  now: NOW,
  days: 30,
  named: [],
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
  const at = new Date(NOW - DAY).toISOString();
  return { bead: "b-1", run: "r-1", dispatchedBy: "r-1", status, at, ...over } as Slot;
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
      says: `keep: its slot is ${statusWord(status)}`,
    })),
    ...(["merge-pending", "blocked", "conflict"] as const).flatMap((status) => [
      {
        name: `stays while its slot is ${status}, closed or not`,
        given: { slots: { "b-1": slot(status) }, beads: new Map([["b-1", "closed"]]) },
        says: `keep: its slot is ${statusWord(status)}, which waits for a person`,
      },
      {
        name: `goes by name when its slot is ${status}`,
        given: { slots: { "b-1": slot(status) }, named: ["b-1"] },
        says: `remove: its slot is ${statusWord(status)}, and whatever it committed is in repo.git`,
      },
    ]),
    {
      name: "does not go by name while its slot is open",
      given: { slots: { "b-1": slot("running") }, named: ["b-1"] },
      says: "keep: its slot is running",
    },
    { name: "of another bead than the one named is not looked at", given: { named: ["b-2"] }, says: "" },
    {
      name: "stays for a day after its bead has landed",
      given: { slots: { "b-1": slot("merged", { at: new Date(NOW - DAY + 1).toISOString() }) } },
      says: "keep: its bead landed less than a day ago",
    },
    {
      name: "stays when nobody can tell when its bead landed",
      given: { slots: { "b-1": slot("merged", { at: "some day" }) } },
      says: "keep: its bead landed less than a day ago",
    },
    {
      name: "goes a day after its bead has landed",
      given: { slots: { "b-1": slot("merged") } },
      says: "remove: its slot is landed, and whatever it committed is in repo.git",
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
      name: "stays while a bead of it waits for a person, who may want its report",
      given: { slots: { "b-1": slot("blocked") } },
      says: "keep: b-1 is blocked in it",
    },
    {
      name: "goes when its slots are over",
      given: { slots: { "b-1": slot("merged") } },
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
    ...(["blocked", "merge-pending"] as const).flatMap((status) => [
      {
        name: `stays while its slot is ${status}, closed or not`,
        given: { beads: new Map([["b-1", "closed"]]), slots: { "b-1": slot(status) } },
        says: `keep: its slot is ${statusWord(status)}, which waits for a person`,
      },
      {
        name: `goes by name when the bead is closed and its slot ${status}`,
        given: { beads: new Map([["b-1", "closed"]]), slots: { "b-1": slot(status) }, named: ["b-1"] },
        says: "remove: its bead is closed",
      },
      {
        name: `stays, also when it is named, while the bead is open and its slot ${status}`,
        given: { beads: new Map([["b-1", "open"]]), slots: { "b-1": slot(status) }, named: ["b-1"] },
        says: `keep: its slot is ${statusWord(status)}, which waits for a person`,
      },
    ]),
    {
      name: "stays for a day after the landing",
      given: {
        beads: new Map([["b-1", "closed"]]),
        slots: { "b-1": slot("merged", { at: new Date(NOW).toISOString() }) },
      },
      says: "keep: its bead landed less than a day ago",
    },
    ...(["queued", "running"] as const).map((status) => ({
      name: `stays while its slot is ${status}, closed or not`,
      given: { beads: new Map([["b-1", "closed"]]), slots: { "b-1": slot(status) } },
      says: `keep: its slot is ${statusWord(status)}`,
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
      given: { slots: { "b-1": slot("merged") } },
      says: "keep: the work source does not know its bead, but the ledger has it as landed",
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

test("what goes of one bead for one reason is one line, and what waits for a person is named once", () => {
  const { remove, keep } = planGc({
    ...nothing,
    slots: { "b-2": slot("blocked", { bead: "b-2" }) },
    clones: [
      { bead: "b-1", work: false },
      { bead: "b-2", work: false },
    ],
    homes: ["b-1", "b-2"],
    branches: ["b-2"],
  });
  const report = { project: "p", applied: true, days: 30, keptClones: [] };
  expect(gcText({ ...report, removed: remove, kept: keep })).toEqual([
    "removed 2 items:",
    "  b-1  clone, agent's home  no slot needs it",
    "kept, because a person has to look: b-2 (blocked)",
    "  koryph gc <bead> --apply removes what is on this machine of one, except its commits",
  ]);
});

test.each([
  { bytes: 1e9, says: null },
  { bytes: 1e9 + 1, says: "koryph gc would free about 1.0 GB on this machine" },
  { bytes: 3.24e9, says: "koryph gc would free about 3.2 GB on this machine" },
])("$bytes bytes that could be freed: $says", ({ bytes, says }) => expect(freeableLine(bytes)).toBe(says));

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
