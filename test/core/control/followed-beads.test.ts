import { expect, test } from "vitest";
import {
  type Followed,
  hasStanding,
  isDue,
  stillFollowed,
} from "../../../src/core/control/followed-beads.js";
import { emptyState, type LedgerState } from "../../../src/core/run/ledger/ledger-state.js";
import { hold, landed, NOW, taken, working } from "../../support/core/control.js";

const DAY = 24 * 60 * 60_000;
const said = { id: 1, told: "x", deleted: false };
const held: LedgerState = { ...emptyState(), holds: { "gh-7": hold } };

test.each<{ name: string; state: LedgerState; followed?: Partial<Followed>; expected: boolean }>([
  { name: "nothing is said where the ledger knows nothing", state: emptyState(), expected: false },
  { name: "a bead that a run took is shown", state: working, expected: true },
  { name: "a hold is shown, also of a bead that no run has taken", state: held, expected: true },
  {
    name: "what was said before is taken back",
    state: emptyState(),
    followed: { comment: said },
    expected: true,
  },
])("$name", ({ state, followed, expected }) => {
  expect(hasStanding(state, 7, { at: NOW, ...followed })).toBe(expected);
});

test.each<{ name: string; state: LedgerState; days: number; expected: boolean }>([
  { name: "a bead at work is followed however long it takes", state: working, days: 90, expected: true },
  { name: "so is one that is blocked", state: taken("blocked"), days: 90, expected: true },
  { name: "so is a hold", state: held, days: 90, expected: true },
  { name: "one that has landed is followed for a week", state: landed, days: 6, expected: true },
  { name: "and not for longer", state: landed, days: 8, expected: false },
  {
    name: "an issue without a bead is forgotten after a week",
    state: emptyState(),
    days: 8,
    expected: false,
  },
])("$name", ({ state, days, expected }) => {
  const issues = stillFollowed({ "7": { at: NOW - days * DAY } }, state, NOW);
  expect(Object.keys(issues)).toEqual(expected ? ["7"] : []);
});

test("of very many issues the oldest are forgotten", () => {
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`${at + 1}`, { at: NOW + at }]));
  const kept = Object.keys(stillFollowed(many, emptyState(), NOW + 501));
  expect(kept).toHaveLength(500);
  expect(kept).not.toContain("1");
});

test.each<{ name: string; issues: Record<string, Followed>; later: number; expected: boolean }>([
  { name: "nothing new is not written down", issues: { "7": { at: 0 } }, later: 1, expected: false },
  { name: "unless it would be forgotten", issues: { "7": { at: 0 } }, later: DAY, expected: true },
  { name: "an empty list may be forgotten", issues: {}, later: DAY, expected: false },
])("$name", ({ issues, later, expected }) => {
  expect(isDue({ kept: NOW, issues }, { kept: NOW + later, issues: { ...issues } })).toBe(expected);
});

test("a change is written down", () => {
  const before = { kept: NOW, issues: { "7": { at: 0 } } };
  expect(isDue(before, { kept: NOW, issues: { "7": { at: 0, comment: said } } })).toBe(true);
  expect(isDue(before, { kept: NOW, issues: {} })).toBe(true);
});
