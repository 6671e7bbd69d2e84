import { expect, test } from "vitest";
import type { AccountMarks } from "../../../../src/core/govern/account-pin.js";
import type { AccountMark } from "../../../../src/core/govern/verify-identity.js";
import { decideTick } from "../../../../src/core/run/tick/tick.js";
import type { TickFacts } from "../../../../src/core/run/tick/tick-facts.js";
import { bead } from "../../../support/core/beads.js";
import { slot, stateWith } from "../../../support/core/slots.js";
import { observed, tickFacts } from "../../../support/core/tick-facts.js";

const fingerprint = "a".repeat(16);
const billed: AccountMark = { mode: "api-key", fingerprint, billing: "api-key" };
const ann: AccountMark = { mode: "login", fingerprint: "b".repeat(16) };
const work = { ready: [bead({ id: "a", labels: ["fp:a"] })], all: [bead({ id: "a", labels: ["fp:a"] })] };
const base = tickFacts({});
const allowed = {
  ...base.options,
  budgetUsd: 50,
  spendingKeys: { claude: { variable: "SPEND_KEY", fingerprint } },
};

function used(spentUsd: number | null, pool = "") {
  const usage = {
    fiveHour: { ceilingUsd: 100, spentUsd },
    weekly: { ceilingUsd: null, spentUsd: null },
  };
  const ladder = { warn: 0.8, drain: 0.9, stop: 0.95 };
  return { guard: "on", ladder, accounts: new Map([[pool, usage]]) } as const;
}

/** The accounts that agents are started on, and how the run ends. */
function outcome(given: Partial<TickFacts>) {
  const { effects, end } = decideTick(tickFacts({ work, ...given }));
  const started = effects.flatMap((effect) =>
    effect.kind === "append"
      ? effect.events.flatMap((event) =>
          event.type === "slot.dispatching" ? [event.data.account ?? "usual"] : [],
        )
      : [],
  );
  return { started, end: end?.reason ?? null };
}

test.each<{ name: string; given: Partial<TickFacts>; expected: ReturnType<typeof outcome> }>([
  {
    name: "an agent is billed to the key once the plan is used up",
    given: { quota: used(96), options: allowed },
    expected: { started: [billed], end: null },
  },
  {
    name: "while there is room the plan pays, whatever is allowed",
    given: { quota: used(50), options: allowed },
    expected: { started: ["usual"], end: null },
  },
  {
    name: "while no new bead is begun on the plan none is begun on the key",
    given: { quota: used(92), options: allowed },
    expected: { started: [], end: "quota-cap" },
  },
  {
    name: "nobody pays because something cannot be measured",
    given: { quota: used(null), options: allowed },
    expected: { started: [], end: "quota-cap" },
  },
  {
    name: "without leave the run ends",
    given: { quota: used(96) },
    expected: { started: [], end: "quota-cap" },
  },
  {
    name: "a pinned account is not left for the key",
    given: { quota: used(96, `claude:${ann.fingerprint}`), options: allowed, accounts: { claude: ann } },
    expected: { started: [], end: "quota-cap" },
  },
  {
    name: "the budget bounds the key",
    given: { quota: used(96), options: { ...allowed, budgetUsd: 0.01 } },
    expected: { started: [], end: "budget-cap" },
  },
])("$name", ({ given, expected }) => expect(outcome(given)).toEqual(expected));

test("a key has places of its own on the machine", () => {
  const { effects } = decideTick(tickFacts({ work, quota: used(96), options: allowed, denials: [] }));
  expect(effects).toMatchObject([{ kind: "admit", asked: { pool: `claude:${fingerprint}` } }]);
});

test("a dispatch that was to be billed is given up where the run may not spend on that key", () => {
  const dispatching = slot({ status: "dispatching", process: null, account: billed });
  const accounts: AccountMarks = {};
  const state = stateWith(dispatching);
  const seen = observed({
    claim: "ours",
    worktree: "ready",
    left: { head: null, began: null, commits: 0, dirty: false, said: null },
  });
  const decide = (options: TickFacts["options"]) =>
    decideTick(tickFacts({ state, accounts, options, observations: new Map([["b-1", seen]]) })).effects[0];
  expect(decide(allowed)).toMatchObject({ kind: "launch" });
  const other = { claude: { variable: "SPEND_KEY", fingerprint: "c".repeat(16) } };
  for (const options of [base.options, { ...allowed, spendingKeys: other }])
    expect(decide(options)).toMatchObject({
      kind: "append",
      events: [{ type: "slot.ended", why: { code: "spend-withdrawn" } }, { type: "slot.queued" }],
    });
});
