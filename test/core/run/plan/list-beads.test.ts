import { expect, test } from "vitest";
import { beadListJson, beadListText } from "../../../../src/core/replies/beads/bead-list.js";
import { listBeads } from "../../../../src/core/run/plan/list-beads.js";
import { workRange } from "../../../../src/core/run/plan/work-range.js";
import { PLAIN } from "../../../../src/lib/paint.js";
import { bead } from "../../../support/core/beads.js";
import { underWay } from "../../../support/core/control.js";
import { sha, slot, stateWith } from "../../../support/core/slots.js";

const hold = { id: "h", at: "", actor: "marge", reason: "later", evidence: null };
const beads = [
  bead({ id: "o-10", title: "Ready" }),
  bead({ id: "o-2", title: "Waits", blockers: ["o-10", "o-9", "gone"] }),
  bead({ id: "o-3", title: "At work", status: "in_progress" }),
  bead({ id: "o-4", title: "Finished", status: "in_progress" }),
  bead({ id: "o-5", title: "Held" }),
  bead({ id: "o-6", title: "Somebody's", status: "in_progress" }),
  bead({ id: "o-7", title: "Opened again" }),
  bead({ id: "o-9", title: "Done", status: "closed" }),
];
const state = {
  ...stateWith(
    slot({ bead: "o-3" }),
    slot({ bead: "o-4", status: "merge-pending", commits: 1 }),
    slot({ bead: "o-7", status: "merged", settled: true }),
    slot({ bead: "o-9", status: "blocked" }),
  ),
  run: underWay,
  holds: { "o-5": hold },
};
const ready = [beads[0], beads[4], beads[6]].flatMap((each) => each ?? []);
const listed = listBeads(beads, ready, state);

test("every bead is listed with how it stands, as people count", () => {
  expect(beadListText(listed, PLAIN)).toEqual([
    "o-2   P2  waits        Waits         for o-10; there is no such bead: gone",
    "o-3   P2  running      At work       at work",
    "o-4   P2  finished     Finished      koryph land o-4 lands it, koryph diff o-4 shows it",
    "o-5   P2  held         Held          by marge: later",
    "o-6   P2  in_progress  Somebody's",
    "o-7   P2  ready        Opened again",
    "o-9   P2  closed       Done",
    "o-10  P2  ready        Ready",
  ]);
});

test("what an interrupted run left is not called at work", () => {
  const left = listBeads(beads, ready, { ...state, run: null });
  expect(beadListText(left, PLAIN)[1]).toMatch(/koryph run --resume goes on with it$/);
});

test("programs get the same", () => {
  const { beads: shown } = beadListJson(listed, "shop");
  expect(shown[0]).toMatchObject({ id: "o-2", standing: "waits", blockers: ["o-10", "gone"], next: null });
  expect(shown[2]).toMatchObject({
    id: "o-4",
    standing: "finished",
    next: expect.stringContaining("koryph land"),
  });
});

test("a long backlog with nothing open says so", () => {
  expect(beadListText([], PLAIN)).toEqual(["no bead is open; `koryph list --all` shows closed ones"]);
});

test.each([
  {
    name: "landed: as it landed",
    given: { landed: sha("b"), landedFrom: sha("a"), head: sha("c") },
    range: ["a", "b"],
  },
  {
    name: "accepted: as it was accepted",
    given: {
      head: sha("c"),
      began: sha("a"),
      candidate: { branch: "m", from: sha("d"), base: sha("b"), head: sha("c") },
    },
    range: ["b", "c"],
  },
  { name: "as its agent left it", given: { head: sha("c"), began: sha("a") }, range: ["a", "c"] },
  { name: "none without commits", given: {}, range: null },
  { name: "none where nothing was added", given: { head: sha("a"), began: sha("a") }, range: null },
  { name: "none where the start is not known", given: { head: sha("c") }, range: null },
  { name: "none of what is no commit's name", given: { head: "--output=x", began: sha("a") }, range: null },
])("the commits of a bead: $name", ({ given, range }) => {
  const [base = "", head = ""] = range ?? [];
  expect(workRange(slot(given))).toEqual(range && { base: sha(base), head: sha(head) });
});
