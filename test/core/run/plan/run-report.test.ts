import { expect, test } from "vitest";
import type { SlotStatus } from "../../../../src/core/run/ledger/slot.js";
import {
  groupSlots,
  NO_GROUPS,
  type ReportGroups,
  runReport,
} from "../../../../src/core/run/plan/run-report.js";
import { slot } from "../../../support/core/slots.js";

type Look = Readonly<Record<string, SlotStatus>>;

/** What several looks at a run's slots come to, a second apart. */
function looks(mode: "rolling" | "wave", ...seen: readonly Look[]): ReportGroups {
  return seen.reduce<ReportGroups>((groups, look, index) => {
    const slots = Object.entries(look).map(([bead, status]) => ({ bead, status }));
    return groupSlots(groups, slots, { mode, now: index * 1_000 });
  }, NO_GROUPS);
}

test.each<{ name: string; mode: "rolling" | "wave"; seen: readonly Look[]; groups: readonly string[] }>([
  {
    name: "what starts together is one group",
    mode: "rolling",
    seen: [{ a: "running", b: "dispatching" }],
    groups: ["a b"],
  },
  {
    name: "what starts while no place was freed is of the same",
    mode: "rolling",
    seen: [{ a: "running" }, { a: "running", b: "dispatching" }],
    groups: ["a b"],
  },
  {
    name: "a freed place begins a refill",
    mode: "rolling",
    seen: [
      { a: "running", b: "running" },
      { a: "merged", b: "running" },
      { a: "merged", b: "running", c: "running" },
    ],
    groups: ["a b", "c"],
  },
  {
    name: "also one that is filled at once",
    mode: "rolling",
    seen: [{ a: "running" }, { a: "blocked", b: "running" }],
    groups: ["a", "b"],
  },
  {
    name: "two beads of one refill stay together",
    mode: "rolling",
    seen: [
      { a: "running" },
      { a: "merged" },
      { a: "merged", b: "running" },
      { a: "merged", b: "running", c: "running" },
    ],
    groups: ["a", "b c"],
  },
  {
    name: "another attempt begins nothing",
    mode: "rolling",
    seen: [
      { a: "running", b: "running" },
      { a: "queued", b: "merged" },
      { a: "running", b: "merged" },
    ],
    groups: ["a b"],
  },
  {
    name: "a wave lasts while one of its beads is under way",
    mode: "wave",
    seen: [
      { a: "running", b: "running" },
      { a: "merged", b: "landing" },
      { a: "merged", b: "landing", c: "running" },
    ],
    groups: ["a b c"],
  },
  {
    name: "the next one begins when all of it rests",
    mode: "wave",
    seen: [
      { a: "running", b: "running" },
      { a: "merged", b: "blocked" },
      { a: "merged", b: "blocked", c: "running" },
    ],
    groups: ["a b", "c"],
  },
])("$name ($mode)", ({ mode, seen, groups }) => {
  expect(looks(mode, ...seen).groups.map((beads) => beads.join(" "))).toEqual(groups);
});

test("a bead's span lasts from its dispatch to its rest, and another one begins when it is taken up again", () => {
  const { spans } = looks("rolling", { a: "running" }, { a: "landing" }, { a: "blocked" }, { a: "running" });
  expect(spans).toEqual([
    { bead: "a", from: 0, to: 2_000 },
    { bead: "a", from: 3_000, to: null },
  ]);
});

test("a bead that was dropped is in no row", () => {
  const groups = looks("rolling", { a: "running", b: "running" });
  const report = runReport([slot({ bead: "b" })], groups, { run: "r", mode: "rolling", ended: null, now: 0 });
  expect(report.groups.map((rows) => rows.map(({ bead }) => bead))).toEqual([["b"]]);
});
