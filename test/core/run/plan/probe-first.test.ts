import { expect, test } from "vitest";
import { dispatchRefusalText } from "../../../../src/core/replies/schedule/schedule.js";
import type { RuntimePause } from "../../../../src/core/run/ledger/runtime-pause.js";
import { planDispatch } from "../../../../src/core/run/plan/plan-dispatch.js";
import { probeFirst } from "../../../../src/core/run/plan/probe-first.js";
import { bead, ids } from "../../../support/core/beads.js";
import { projectWith } from "../../../support/core/slots.js";

const frontier = [
  bead({ id: "a", labels: ["fp:a"] }),
  bead({ id: "b", labels: ["fp:b"] }),
  bead({ id: "c", labels: ["fp:c", "model:opus"] }),
  bead({ id: "d", labels: ["fp:d", "runtime:own"] }),
];
const config = projectWith({ max_concurrent_slots: 8, runtimes: { own: { command: ["./agent"] } } });
const plan = planDispatch({ config, beads: frontier, frontier });
const refused: RuntimePause = {
  runtime: "claude",
  model: null,
  kind: "auth",
  detail: "403",
  at: "",
  until: null,
  times: 1,
  probe: null,
};

test.each<{ name: string; pauses: RuntimePause[]; dispatch: string[] }>([
  { name: "nothing paused changes nothing", pauses: [], dispatch: ["a", "b", "c", "d"] },
  { name: "a paused runtime is tried by its first bead", pauses: [refused], dispatch: ["a", "d"] },
  {
    name: "a paused model keeps back that model alone",
    pauses: [{ ...refused, kind: "unknown-model", model: "sonnet" }],
    dispatch: ["a", "c", "d"],
  },
  {
    name: "each pause is tried for itself",
    pauses: [refused, { ...refused, runtime: "own" }],
    dispatch: ["a", "d"],
  },
])("$name", ({ pauses, dispatch }) => {
  const made = probeFirst(plan, pauses);
  expect(ids(made.dispatch.map((item) => item.bead))).toEqual(dispatch);
  expect(made.dispatch.length + made.deferred.length).toBe(frontier.length);
});

test("who waits is told what for", () => {
  const [first] = probeFirst(plan, [refused]).deferred;
  expect(first && dispatchRefusalText(first.refusal)).toBe(
    "claude: credential refused: 403 (one agent tries whether it is over)",
  );
});
