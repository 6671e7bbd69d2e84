import { expect, test } from "vitest";
import type { ControlCommand } from "../../../src/core/control/control-command.js";
import { unmetConditions } from "../../../src/core/control/unmet-conditions.js";
import type { LedgerState } from "../../../src/core/run/ledger/ledger-state.js";
import { ulid } from "../../../src/lib/ulid.js";
import { answer, decide, hold, NOW, STOP, waiting, working } from "../../support/core/control.js";

const MINUTE = 60_000;
const ENGINES: readonly ControlCommand[] = [
  { verb: "drain" },
  { verb: "resize", max: 2, force: false },
  { ...STOP, bead: null, run: true },
  { verb: "nudge", bead: null, text: "faster" },
];

/** A run whose engine was last heard of so long ago. */
function heard(agoMs: number, state = working): LedgerState {
  const seenAs = ulid(NOW - agoMs, new Uint8Array(10));
  return { ...state, lease: { id: seenAs, holder: "e", host: "h", ttlSeconds: 60, seenAs } };
}

const silent = heard(10 * MINUTE);
const since = NOW - 10 * MINUTE;

test.each(ENGINES)("$verb of a run whose engine is silent is recorded, and tells since when", (command) => {
  expect(decide(command, { state: silent })).toMatchObject({ kind: "append", silent: since });
  expect(decide(command, { state: heard(MINUTE) })).toMatchObject({ kind: "append", silent: null });
});

test("a second drain tells it, too", () => {
  const state = heard(10 * MINUTE, waiting({ verb: "drain" }));
  expect(decide({ verb: "drain" }, { state })).toMatchObject({ kind: "already", silent: since });
});

test("a hold needs no engine", () => {
  const command: ControlCommand = { verb: "hold", bead: null, reason: "" };
  expect(decide(command, { state: silent })).toMatchObject({ kind: "append", silent: null });
  const held = { ...silent, holds: { "gh-7": hold } };
  expect(decide(command, { state: held })).toMatchObject({ kind: "already", silent: null });
});

test("status and why tell it", () => {
  expect(answer({ verb: "status", bead: null }, { state: silent })).toMatchObject({ silent: since });
  const codes = (state: LedgerState) => unmetConditions(state, "gh-7", NOW).map(({ code }) => code);
  expect(codes(silent)).toContain("engine_silent");
  expect(codes(heard(MINUTE))).not.toContain("engine_silent");
});
