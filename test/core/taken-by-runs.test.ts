import { expect, test } from "vitest";
import { takenByRuns, takenRows } from "../../src/core/replies/taken-by-runs.js";
import { bead } from "../support/beads.js";
import { slot, stateWith } from "../support/slots.js";

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
    "  a  queued         API     waits for its next attempt; koryph run --resume goes on",
    "  b  blocked        Basket  koryph retry b lets it try again",
    "  c  running        Cart    at work",
    "  d  merge-pending  Docs    finished; koryph land d lands it",
    "  e  landing        Eggs    finished, about to land",
    "  f  conflict       Fish    koryph retry f lets it try again",
  ]);
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
  expect(rows.at(-1)).toBe("  and 3 more, which koryph status lists");
});
