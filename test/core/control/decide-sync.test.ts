import { expect, test } from "vitest";
import {
  decideSync,
  type FollowedPull,
  followedPulls,
  type ShownPull,
} from "../../../src/core/control/decide-sync.js";
import type { NewEvent } from "../../../src/core/run/ledger/ledger-event.js";
import { acceptedSlot, append, sha, stateWith } from "../../support/core/slots.js";

const followed: FollowedPull = { pull: 7, bead: "b-1", url: "u", known: "open", branch: "main" };
const open: ShownPull = { state: "open", base: "main", merged: null };
const merged: ShownPull = { ...open, state: "closed", merged: { landed: sha("f") } };

test.each<{ name: string; given?: Partial<FollowedPull>; shown: ShownPull | null; change: object }>([
  { name: "what is open is as it was", shown: open, change: { kind: "none" } },
  { name: "what was merged has landed", shown: merged, change: { kind: "merged", head: sha("f") } },
  {
    name: "so it has after it was closed",
    given: { known: "closed" },
    shown: merged,
    change: { kind: "merged", head: sha("f") },
  },
  { name: "what was closed is closed", shown: { ...open, state: "closed" }, change: { kind: "closed" } },
  {
    name: "and stays closed",
    given: { known: "closed" },
    shown: { ...open, state: "closed" },
    change: { kind: "none" },
  },
  { name: "until it is opened again", given: { known: "closed" }, shown: open, change: { kind: "reopened" } },
  {
    name: "work that went into another branch has not landed",
    shown: { ...merged, base: "next" },
    change: { kind: "elsewhere", base: "next" },
  },
  {
    name: "which is told once",
    given: { known: "closed" },
    shown: { ...merged, base: "next" },
    change: { kind: "none" },
  },
  {
    name: "somebody else's pull request may go anywhere",
    given: { bead: null, branch: null },
    shown: { ...merged, base: "next" },
    change: { kind: "merged", head: sha("f") },
  },
  {
    name: "a merge without a commit changes nothing",
    shown: { ...merged, merged: { landed: null } },
    change: { kind: "unknown" },
  },
  { name: "a pull request that is not there changes nothing", shown: null, change: { kind: "unknown" } },
])("$name", ({ given, shown, change }) =>
  expect(decideSync({ ...followed, ...given }, shown)).toEqual(change),
);

test("pull requests are followed for every run, and no longer than somebody waits for them", () => {
  const pull = (number: number) => ({ pull: { number, url: `u${number}` } });
  const slots = [
    acceptedSlot({ bead: "old", run: "r-0", status: "pr-opened", ...pull(1) }),
    acceptedSlot({ bead: "shut", status: "blocked", noteCode: "pull-closed", ...pull(2) }),
    acceptedSlot({ bead: "again", status: "running", ...pull(3) }),
    acceptedSlot({ bead: "done", status: "merged", ...pull(4) }),
    acceptedSlot({ bead: "other", status: "blocked", noteCode: "land-refused", ...pull(5) }),
  ];
  const state = stateWith(...slots);
  const analysed: NewEvent = {
    type: "pull.analysed",
    data: { pull: 9, head: sha("a"), verdict: "clean", findings: 0 },
  };
  append(state, analysed);
  expect(followedPulls(state).map(({ pull: number, bead, known }) => [number, bead, known])).toEqual([
    [1, "old", "open"],
    [2, "shut", "closed"],
    [9, null, "open"],
  ]);
});
