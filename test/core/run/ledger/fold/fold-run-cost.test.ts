import { expect, test } from "vitest";
import { statusText } from "../../../../../src/core/replies/run/status.js";
import { fold } from "../../../../../src/core/run/ledger/fold/fold.js";
import { type LedgerEvent, readEvent } from "../../../../../src/core/run/ledger/ledger-event.js";
import { emptyState, type LedgerState } from "../../../../../src/core/run/ledger/ledger-state.js";
import { dispatching } from "../../../../support/core/ledgers.js";

type Line = readonly [type: LedgerEvent["type"], run: string, bead: string | undefined, data: object];

function folded(lines: readonly Line[]): LedgerState {
  const state = emptyState();
  for (const [index, [type, run, bead, data]] of lines.entries()) {
    const id = `${index}`.padStart(26, "0");
    const reading = readEvent(JSON.stringify({ id, at: "2026-01-31", actor: "ana", run, bead, type, data }));
    expect(reading.kind).toBe("event");
    fold(state, reading);
  }
  return state;
}

const begins = (run: string, resumed = false): Line => [
  ...(["run.started", run, undefined] as const),
  { mode: "wave", engine_version: "1", budget_usd: null, resumed },
];
const agent = (run: string, attempt: number, usage: object, given: object = {}): readonly Line[] => [
  ["slot.dispatching", run, "b", { ...dispatching, attempt, ...given }],
  [
    ...(["slot.ended", run, "b"] as const),
    { attempt, outcome: "completed", detail: "", session: null, usage, commits: 0, head: null },
  ],
];
const review = {
  task: "review",
  asides: [
    {
      ...{ task: "review", model: "haiku", model_why: "", timeout_seconds: 60 },
      ...{ estimate_usd: 1, optional: false },
    },
  ],
};
const first = [
  begins("r-1"),
  ...agent("r-1", 1, { cost_usd: 1, cost_known: true }),
  ...agent("r-1", 2, { cost_usd: 0.25, cost_known: true }, review),
];
const costs = (...lines: readonly Line[]) => folded([...first, ...lines]).runCosts;

test("a run's agents are summed up by the model that each worked with, and shown by it", () => {
  expect(costs()).toEqual({
    "command/sonnet": { agents: 1, costUsd: 1, costKnown: true },
    "command/haiku": { agents: 1, costUsd: 0.25, costKnown: true },
  });
  const line = "cost by model: command/sonnet $1.00, command/haiku $0.25";
  expect(statusText(folded(first), "lab", null)).toContain(line);
  expect(statusText(folded([begins("r-1")]), "lab", null).join()).not.toContain("cost");
});

test("an estimate counts, and stays one; a run that goes on goes on counting", () => {
  const more = agent("r-1", 3, { cost_usd: 2, cost_known: false });
  expect(costs(begins("r-1", true), ...more)).toMatchObject({
    "command/sonnet": { agents: 2, costUsd: 3, costKnown: false },
  });
});

test("another run begins at nothing", () => {
  expect(costs(begins("r-2"))).toEqual({});
});

const tokens = (input: number, cache_read: number) => ({ input, output: 1, cache_read, cache_write: 0 });

test("tokens are summed up over those agents whose programs told them, and shown as the part that a cache had", () => {
  const told = [
    ...agent("r-1", 3, { cost_usd: 0, cost_known: true, tokens: tokens(10, 30) }),
    ...agent("r-1", 4, { cost_usd: 0, cost_known: true, tokens: tokens(10, 50) }),
  ];
  expect(costs(...told)["command/sonnet"]).toEqual({
    ...{ agents: 3, costUsd: 1, costKnown: true },
    tokens: { input: 20, output: 2, cacheRead: 80, cacheWrite: 0 },
  });
  expect(statusText(folded([...first, ...told]), "lab", null)).toContain(
    "cost by model: command/sonnet $1.00 (80 % of input from the cache), command/haiku $0.25",
  );
});

test("counts that make no sense are left out, and cost nobody the end of an agent", () => {
  const odd = { cost_usd: 0, cost_known: true, tokens: { input: -1 } };
  expect(costs(...agent("r-1", 3, odd))["command/sonnet"]).toEqual({
    agents: 2,
    costUsd: 1,
    costKnown: true,
  });
});

test("a session's tokens are known for as long as each of its agents told them", () => {
  const usage = (given: object = {}) => ({ cost_usd: 1, cost_known: true, ...given });
  const goesOn = { start: "resume", session: "s" };
  const session = (...lines: readonly Line[]) => folded([begins("r-1"), ...lines]).slots.b?.sessionTokens;
  const one = agent("r-1", 1, usage({ tokens: tokens(10, 30) }));
  expect(session(...one, ...agent("r-1", 2, usage({ tokens: tokens(1, 2) }), goesOn))).toMatchObject({
    ...{ input: 11, cacheRead: 32 },
  });
  expect(session(...one, ...agent("r-1", 2, usage(), goesOn))).toBeNull();
  expect(
    session(...agent("r-1", 1, usage()), ...agent("r-1", 2, usage({ tokens: tokens(1, 2) }))),
  ).toMatchObject({ input: 1 });
});

test("what a key paid for is a part of the cost", () => {
  const account = { mode: "api-key", fingerprint: "a".repeat(16), billing: "api-key" };
  const billed = agent("r-1", 3, { cost_usd: 2, cost_known: true }, { account });
  expect(costs(...billed)["command/sonnet"]).toEqual({ agents: 2, costUsd: 3, costKnown: true, apiUsd: 2 });
});
