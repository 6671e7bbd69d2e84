import { expect, test } from "vitest";
import type { LedgerEvent } from "../../../../src/core/run/ledger/ledger-event.js";
import { openChecks } from "../../../../src/core/run/ledger/open-checks.js";
import { sha } from "../../../support/core/slots.js";

const envelope = { id: "01HF0000000000000000000000", at: "2026-01-01", actor: "x" };

function reported(run: string, check: number, open: boolean): LedgerEvent {
  return { ...envelope, run, type: "run.reported", data: { check, head: sha("a"), open } };
}

function reporting(run: string, head: string): LedgerEvent {
  return { ...envelope, run, type: "run.reporting", data: { head } };
}

test("those that were begun and not ended are open, whoever ended them", () => {
  const events = [
    reported("r-1", 1, true),
    reported("r-1", 2, true),
    reported("r-2", 3, true),
    reported("r-1", 1, false),
  ];
  expect(openChecks(events)).toEqual([
    { run: "r-1", checks: [2], head: sha("a") },
    { run: "r-2", checks: [3], head: sha("a") },
  ]);
});

test("one that was about to be made is looked for on its commit, unless it was made and ended", () => {
  const events = [
    reporting("r-1", sha("a")),
    reported("r-1", 1, true),
    reported("r-1", 1, false),
    reporting("r-1", sha("b")),
  ];
  expect(openChecks(events)).toEqual([{ run: "r-1", checks: [], head: sha("b") }]);
});
