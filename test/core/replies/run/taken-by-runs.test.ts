import { expect, test } from "vitest";
import { takenByRuns, takenRows } from "../../../../src/core/replies/run/taken-by-runs.js";
import type { Slot } from "../../../../src/core/run/ledger/slot.js";
import { bead } from "../../../support/core/beads.js";
import { slot, stateWith } from "../../../support/core/slots.js";

test("each bead that a run has or left says what brings it on", () => {
  const state = stateWith(
    slot({ bead: "d", status: "merge-pending", title: "Docs" }),
    slot({ bead: "b", status: "blocked", title: "Basket" }),
    slot({ bead: "a", status: "queued", title: "API" }),
    slot({ bead: "c", status: "running", title: "Cart" }),
    slot({ bead: "e", status: "landing", title: "Eggs" }),
    slot({ bead: "f", status: "conflict", title: "Fish" }),
    slot({ bead: "g", status: "merged", title: "Gone" }),
  );
  expect(takenRows(takenByRuns(state, []))).toEqual([
    "  a  queued    API     waits for its next attempt; koryph run --resume goes on",
    "  b  blocked   Basket  koryph retry b lets it try again",
    "  c  running   Cart    at work",
    "  d  finished  Docs    koryph land d lands it, koryph diff d shows it",
    "  e  landing   Eggs    finished, about to land",
    "  f  conflict  Fish    koryph retry f lets it try again",
  ]);
});

const finished: Partial<Slot> = { status: "merge-pending", commits: 1 };

test.each<{ name: string; given: Partial<Slot>; held?: true; next: string }>([
  {
    name: "a blocked bead with commits can also be landed",
    given: { status: "blocked", commits: 1 },
    next: "koryph retry b-1 lets it try again, koryph land b-1 lands what it has",
  },
  {
    name: "what the review blocks has a report",
    given: { ...finished, review: { head: "h", verdict: "blocking", note: "" } },
    next: "the review blocks it: koryph tail b-1 shows its report, koryph land b-1 lands it all the same",
  },
  {
    name: "a person's landing that the gate refused goes back with the report",
    given: { ...finished, refusal: { result: "gate-failed", code: "", detail: "make test ended with 2" } },
    next: "its landing was refused (gate-failed): koryph tail b-1 shows the report, koryph retry b-1 sends it back to an agent with it",
  },
  {
    name: "and so does the engine's own",
    given: {
      status: "conflict",
      commits: 1,
      refusal: { result: "conflict", code: "", detail: "x" },
      note: "3 times in a row, conflict: x",
    },
    next: "its landing was refused (conflict): koryph tail b-1 shows the report, koryph retry b-1 sends it back to an agent with it",
  },
  {
    name: "a protected path is for a person",
    given: {
      ...finished,
      refusal: { result: "protected", code: "", detail: "it changes CLAUDE.md, which no agent may land" },
    },
    next: "its landing was refused (protected): after a look koryph land b-1 --allow-protected lifts .github/ and Makefile, koryph land b-1 tells how any other path lands by hand; koryph retry b-1 lets an agent do it without",
  },
  {
    name: "unsigned commits are about the key",
    given: { ...finished, refusal: { result: "unsigned", code: "", detail: "abc has no signature" } },
    next: "its landing was refused (unsigned): koryph land b-1 names the commits and says how to sign them",
  },
  {
    name: "a dirty clone goes back to an agent",
    given: { ...finished, refusal: { result: "dirty", code: "", detail: "the bead's clone has changes" } },
    next: "its landing was refused (dirty): koryph retry b-1 sends it back to an agent, who finds the changes",
  },
  {
    name: "work that is there already needs no landing",
    given: { ...finished, refusal: { result: "no-changes", code: "", detail: "its commits change nothing" } },
    next: "its landing was refused (no-changes): close it if its work is on the default branch already",
  },
  {
    name: "a landing that broke is tried again",
    given: { ...finished, refusal: { result: "error", code: "", detail: "the branch moved five times" } },
    next: "its last landing failed: koryph status says why, koryph land b-1 tries again",
  },
  {
    name: "what somebody else wrote is no refusal",
    given: { ...finished, note: "protected: said an agent" },
    next: "koryph land b-1 lands it, koryph diff b-1 shows it",
  },
  {
    name: "what is held waits for somebody's word",
    given: finished,
    held: true,
    next: "held by marge: koryph unhold b-1 lets it go on",
  },
  {
    name: "a hold does not stop an agent at work",
    given: { status: "running" },
    held: true,
    next: "at work",
  },
])("$name", ({ given, held, next }) => {
  const hold = { id: "h", at: "", actor: "marge", reason: "", evidence: null };
  const state = { ...stateWith(slot(given)), holds: held ? { "b-1": hold } : {} };
  expect(takenByRuns(state, []).map((each) => each.next.text)).toEqual([next]);
});

test("a bead that was closed since is over, whatever its slot says", () => {
  const state = stateWith(
    slot({ bead: "a", status: "merge-pending" }),
    slot({ bead: "b", status: "blocked" }),
  );
  const beads = [bead({ id: "a", status: "closed" }), bead({ id: "b", status: "in_progress" })];
  expect(takenByRuns(state, beads).map((each) => each.bead)).toEqual(["b"]);
});

test("many are counted, not listed", () => {
  const slots = Array.from({ length: 23 }, (_, at) => slot({ bead: `b-${at}`, status: "merge-pending" }));
  const rows = takenRows(takenByRuns(stateWith(...slots), []));
  expect(rows).toHaveLength(21);
  expect(rows.at(-1)).toBe("  and 3 more, which koryph list shows");
});
