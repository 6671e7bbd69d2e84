import { expect, test } from "vitest";
import type { Command } from "../../../src/core/commands/command.js";
import { unmetConditions } from "../../../src/core/control/why.js";
import type { LedgerState } from "../../../src/core/run/ledger/ledger-state.js";
import { ulid } from "../../../src/lib/ulid.js";
import { plan, underWay, working } from "../../support/core/command-plan.js";

const NOW = Date.parse("2026-01-02T12:00:00Z");
const MINUTE = 60_000;
const dryRun = false;
const STEERING: readonly Command[] = [
  { verb: "drain", dryRun },
  { verb: "resize", max: 2, force: false, dryRun },
  { verb: "stop", bead: null, all: true, force: false, dryRun },
  { verb: "nudge", bead: null, text: "faster", dryRun },
];

/** A run whose engine was last heard of so long ago. */
function heard(agoMs: number): LedgerState {
  const seenAs = ulid(NOW - agoMs, new Uint8Array(10));
  const lease = { id: seenAs, holder: "e", host: "h", ttlSeconds: 60, seenAs };
  return { ...working, lease, run: { ...underWay, startedAt: "2026-01-02T10:00:00Z" } };
}

test.each(STEERING)("$verb of a run whose engine is silent is taken, and says so", (command) => {
  const said = "Nothing was heard of the run's engine since 2026-01-02T11:50:00.000Z";
  expect(plan(command, { state: heard(10 * MINUTE), now: NOW, asked: NOW })).toMatchObject({
    kind: "append",
    said: expect.stringContaining(said),
  });
  expect(plan(command, { state: heard(MINUTE), now: NOW, asked: NOW })).toMatchObject({
    kind: "append",
    said: expect.not.stringContaining("heard"),
  });
});

test("status and why say that an engine is silent, and what goes on with its run", () => {
  const silent = heard(10 * MINUTE);
  expect(plan({ verb: "status", bead: null }, { state: silent, now: NOW, asked: NOW })).toMatchObject({
    said: expect.stringContaining("koryph run --resume"),
  });
  const codes = (state: LedgerState) => unmetConditions(state, "gh-7", NOW).map(({ code }) => code);
  expect(codes(silent)).toContain("engine_silent");
  expect(codes(heard(MINUTE))).not.toContain("engine_silent");
});

test.each(STEERING)("$verb that was written before the run began does not steer it", (command) => {
  const before = Date.parse("2026-01-02T09:59:00Z");
  expect(plan(command, { state: heard(MINUTE), now: NOW, asked: before })).toMatchObject({
    kind: "refuse",
    code: "before_run",
  });
  expect(plan(command, { state: heard(MINUTE), now: NOW, asked: NOW - MINUTE })).toMatchObject({
    kind: "append",
  });
});
