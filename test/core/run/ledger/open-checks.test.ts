import { expect, test } from "vitest";
import type { LedgerEvent } from "../../../../src/core/run/ledger/ledger-event.js";
import { openChecks } from "../../../../src/core/run/ledger/open-checks.js";
import { sha } from "../../../support/core/slots.js";

function reported(run: string, check: number, open: boolean): LedgerEvent {
  const envelope = { id: "01HF0000000000000000000000", at: "2026-01-01", actor: "x", run };
  return { ...envelope, type: "run.reported", data: { check, head: sha("a"), open } };
}

test("those that were begun and not ended are open, whoever ended them", () => {
  const events = [
    reported("r-1", 1, true),
    reported("r-1", 2, true),
    reported("r-2", 3, true),
    reported("r-1", 1, false),
  ];
  expect(openChecks(events)).toEqual([
    { run: "r-1", check: 2, head: sha("a") },
    { run: "r-2", check: 3, head: sha("a") },
  ]);
});
