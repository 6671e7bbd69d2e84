import { expect, test } from "vitest";
import { type LedgerEvent, readEvent } from "../../../../src/core/run/ledger/ledger-event.js";
import { RunTeller } from "../../../../src/core/run/plan/retell-run.js";

const HEAD = "a".repeat(40);

/** `seconds` after noon. */
function event(seconds: number, type: LedgerEvent["type"], run: string, data: object, bead?: string) {
  const at = new Date(Date.UTC(2026, 0, 1, 12, 0, seconds)).toISOString();
  const id = `${run.slice(-1)}${seconds}`.padStart(26, "0");
  const reading = readEvent(JSON.stringify({ id, at, actor: "a", run, type, data, ...(bead && { bead }) }));
  if (reading.kind !== "event") throw new Error(`${type}: ${JSON.stringify(reading)}`);
  return reading;
}

const begins = (seconds: number, run: string, resumed = false) =>
  event(seconds, "run.started", run, {
    ...{ mode: "rolling", engine_version: "1.0.0", budget_usd: null, resumed, review: false },
  });
const starts = (seconds: number, run: string, bead: string) =>
  event(
    ...([seconds, "slot.dispatching", run] as const),
    {
      ...{ attempt: 1, title: `Work on ${bead}`, footprint: { reads: [], writes: [bead] }, resources: [] },
      ...{ runtime: "demo", model: "sonnet", model_why: "", merge_policy: "pr", risk_tier: 2 },
      ...{ timeout_seconds: 60, estimate_usd: 0, start: "fresh", session: null },
    },
    bead,
  );
const blocks = (seconds: number, run: string, bead: string) =>
  event(seconds, "slot.blocked", run, { reason: "no" }, bead);
const lands = (seconds: number, run: string, bead: string) => [
  event(
    ...([seconds, "land.requested", run] as const),
    { branch: "main", base: HEAD, head: HEAD, method: "ff", by: "operator", allow_protected: false },
    bead,
  ),
];
const ends = (seconds: number, run: string) =>
  event(seconds, "run.ended", run, { reason: "drained", code: 4 });

function told(events: readonly ReturnType<typeof event>[], run: string | null) {
  const teller = new RunTeller();
  for (const each of events) teller.hear(each);
  return teller.run(run, Date.UTC(2026, 0, 1, 13));
}

const NOON = Date.UTC(2026, 0, 1, 12);

test("a run is told with its beads, when each was worked on, and how it ended", () => {
  const run = told([begins(0, "r-1"), starts(2, "r-1", "a"), blocks(7, "r-1", "a"), ends(9, "r-1")], null);
  expect(run).toMatchObject({
    from: NOON,
    to: NOON + 9_000,
    report: {
      ...{ run: "r-1", mode: "rolling", ended: { reason: "it ended: drained" } },
      groups: [[{ bead: "a", title: "Work on a", status: "blocked", tries: 1 }]],
      spans: [{ bead: "a", from: NOON + 2_000, to: NOON + 7_000 }],
    },
  });
});

test("what becomes of its beads after the end is told as well", () => {
  const before = [begins(0, "r-1"), starts(2, "r-1", "a"), blocks(7, "r-1", "a"), ends(9, "r-1")];
  const run = told([...before, ...lands(20, "r-1", "a")], "r-1");
  expect(run?.report.groups.flat()).toMatchObject([{ bead: "a", status: "landing" }]);
  expect(run?.to).toBe(NOON + 9_000);
});

test("an earlier run keeps its own beads when a later one begins, and the newest is told unless asked", () => {
  const events = [
    ...[begins(0, "r-1"), starts(1, "r-1", "a"), blocks(2, "r-1", "a"), ends(3, "r-1")],
    ...[begins(10, "r-2"), starts(11, "r-2", "b")],
  ];
  expect(told(events, "r-1")?.report.groups.flat()).toMatchObject([{ bead: "a" }]);
  expect(told(events, null)).toMatchObject({
    to: Date.UTC(2026, 0, 1, 13),
    report: { run: "r-2", ended: null, groups: [[{ bead: "b" }]] },
  });
  expect(told(events, "r-3")).toBeNull();
});

test("a run that was killed and goes on is one run", () => {
  const run = told(
    [
      begins(0, "r-1"),
      starts(1, "r-1", "a"),
      begins(30, "r-1", true),
      blocks(40, "r-1", "a"),
      ends(41, "r-1"),
    ],
    null,
  );
  expect(run).toMatchObject({ from: NOON, to: NOON + 41_000 });
  expect(run?.report.spans).toEqual([{ bead: "a", from: NOON + 1_000, to: NOON + 40_000 }]);
});
