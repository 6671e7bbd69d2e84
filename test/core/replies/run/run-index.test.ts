import { expect, test } from "vitest";
import { newestFirst, RunIndex, runIndexText } from "../../../../src/core/replies/run/run-index.js";
import type { LedgerEvent } from "../../../../src/core/run/ledger/ledger-event.js";
import { dispatching } from "../../../support/core/ledgers.js";

const started = { mode: "wave", engine_version: "1", budget_usd: null, resumed: false, review: false };
const usage = (cost_usd: number, cost_known = true) => ({ usage: { cost_usd, cost_known } });

/** `[type, run, bead, data]`, one a minute. */
function indexOf(...events: readonly (readonly [string, string, string, object?])[]): RunIndex {
  const index = new RunIndex();
  for (const [minute, [type, run, bead, data = {}]] of events.entries()) {
    const at = `2026-01-31T12:${String(minute).padStart(2, "0")}:00.000Z`;
    index.add({ id: `${minute}`, at, actor: "ana", type, run, bead, data } as unknown as LedgerEvent);
  }
  return index;
}

const index = indexOf(
  ["run.started", "r-1", "", started],
  ["slot.dispatching", "r-1", "a", dispatching],
  ["slot.ended", "r-1", "a", usage(1.5)],
  ["slot.dispatching", "r-1", "a", { ...dispatching, attempt: 2 }],
  ["slot.ended", "r-1", "a", usage(0.25, false)],
  ["run.ended", "r-1", "", { reason: "interrupted", code: 0 }],
  ["run.started", "r-1", "", { ...started, resumed: true }],
  ["run.ended", "r-1", "", { reason: "drained", code: 4 }],
  ["run.started", "r-2", "", started],
  ["slot.dispatching", "r-2", "b", dispatching],
  // By a person, outside any run.
  ["land.landed", "", "a"],
);

test("a run is told with its beads, landings, cost and end; going on with it is no new one", () => {
  expect(index.list()).toEqual([
    {
      id: "r-1",
      startedAt: "2026-01-31T12:00:00.000Z",
      mode: "wave",
      ended: { reason: "drained", code: 4, at: "2026-01-31T12:07:00.000Z" },
      beads: 1,
      landed: 1,
      costUsd: 1.75,
      costKnown: false,
    },
    expect.objectContaining({ id: "r-2", ended: null, beads: 1, landed: 0, costKnown: true }),
  ]);
});

test("the newest comes first, whatever project it is of", () => {
  const [one, two] = index.list();
  if (!one || !two) throw new Error("two runs");
  const runs = newestFirst([
    { project: "shop", run: one, underWay: false },
    { project: "docs", run: two, underWay: true },
    { project: "old", run: { ...one, ended: null, startedAt: "2025-01-01T00:00:00.000Z" }, underWay: false },
  ]);
  expect(runIndexText(runs)).toEqual([
    "docs  r-2  2026-01-31 12:08  1 bead, 0 landed  $0.00        under way",
    "shop  r-1  2026-01-31 12:00  1 bead, 1 landed  about $1.75  drained",
    "old   r-1  2025-01-01 00:00  1 bead, 1 landed  about $1.75  not ended: under way elsewhere, or cut short",
  ]);
});

test("events of a run that nobody began, and a landing of work that nobody knows, count nowhere", () => {
  const stray = indexOf(
    ["slot.ended", "gone", "a", usage(1)],
    ["run.ended", "gone", "", { reason: "drained", code: 4 }],
    ["land.landed", "", "a"],
  );
  expect(stray.list()).toEqual([]);
});
