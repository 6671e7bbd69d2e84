import { expect, test } from "vitest";
import { freedForRun } from "../../../../src/core/run/plan/left-by-runs.js";
import { slot, stateWith } from "../../../support/core/slots.js";

const left = stateWith(
  slot({ bead: "bare", status: "queued", commits: 0 }),
  slot({ bead: "commits", status: "queued", commits: 1 }),
  slot({ bead: "changes", status: "queued", commits: 0, uncommitted: true }),
  slot({ bead: "blocked", status: "blocked", commits: 0 }),
);
const underWay = { ...left, run: { ended: null } as typeof left.run };

test.each<{ name: string; ended: boolean; resume: boolean; beads: readonly string[] }>([
  { name: "a new run takes what has no work", ended: true, resume: false, beads: ["bare"] },
  {
    name: "--resume takes all that is queued",
    ended: true,
    resume: true,
    beads: ["bare", "commits", "changes"],
  },
  { name: "what a run has that is under way stays its own", ended: false, resume: false, beads: [] },
])("$name", ({ ended, resume, beads }) => {
  const state = ended ? left : underWay;
  expect([...freedForRun(state, { resume })].sort()).toEqual([...beads].sort());
});
