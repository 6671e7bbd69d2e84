import { expect, test } from "vitest";
import { runRequests } from "../../../src/core/control/request-outcome.js";
import { RUN_BUTTONS, runOfCheck, usefulButtons } from "../../../src/core/control/run-buttons.js";
import type { LedgerEvent } from "../../../src/core/run/ledger/ledger-event.js";

const at = "2026-01-01T10:00:00.000Z";
const started = {
  mode: "rolling",
  engine_version: "1",
  budget_usd: null,
  resumed: false,
  review: false,
} as const;
const id = (digit: number) => `01HF000000000000000000000${digit}`;

const EVENTS: LedgerEvent[] = [
  { id: id(0), at, actor: "@old", type: "control.drain", data: {} },
  { id: id(1), at, actor: "engine", run: "r-1", type: "run.started", data: started },
  { id: id(2), at, actor: "@maria", type: "control.drain", data: {} },
  {
    id: id(3),
    at,
    actor: "@tina",

    type: "control.refused",
    data: { run: "r-1", verb: "stop", code: "not_permitted", said: "no" },
  },
  {
    id: id(4),
    at,
    actor: "@tina",

    type: "control.refused",
    data: { run: "r-0", verb: "stop", code: "x", said: "no" },
  },
];

test("what people asked of a run is listed since it began, also what was refused", () => {
  expect(runRequests(EVENTS, "r-1").map(({ verb, actor, came }) => [verb, actor, came.kind])).toEqual([
    ["drain", "@maria", "unheard"],
    ["stop", "@tina", "refused"],
  ]);
});

test("only a check run of a run names one", () => {
  expect(runOfCheck("r-1 koryph / wave 3")).toBe("r-1");
  expect(runOfCheck("r-1 koryph / run")).toBe("r-1");
  for (const other of ["", "r-1", "r-1 koryph / landing", "../r koryph / run", "r-1 koryph / run\n"])
    expect(runOfCheck(other)).toBeNull();
});

test("a run that is over can only be told to try again, and only where something is stuck", () => {
  expect(usefulButtons(false, false)).toEqual(["drain", "stop"]);
  expect(usefulButtons(false, true)).toEqual(["drain", "retry", "stop"]);
  expect(usefulButtons(true, true)).toEqual(["retry"]);
  expect(usefulButtons(true, false)).toEqual([]);
});

test("every button fits GitHub's limits", () => {
  for (const [name, { label, description }] of Object.entries(RUN_BUTTONS)) {
    expect(name.length).toBeLessThanOrEqual(20);
    expect(label.length).toBeLessThanOrEqual(20);
    expect(description.length).toBeLessThanOrEqual(40);
  }
});
