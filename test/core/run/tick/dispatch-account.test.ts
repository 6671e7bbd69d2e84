import { expect, test } from "vitest";
import type { AccountMark } from "../../../../src/core/govern/verify-identity.js";
import { type NewEvent, readEvent, writeEvent } from "../../../../src/core/run/ledger/ledger-event.js";
import type { Slot } from "../../../../src/core/run/ledger/slot.js";
import { redispatch } from "../../../../src/core/run/tick/dispatch-events.js";
import { decideTick } from "../../../../src/core/run/tick/tick.js";
import { bead } from "../../../support/core/beads.js";
import { append, slot, stateWith } from "../../../support/core/slots.js";
import { observed, tickFacts } from "../../../support/core/tick-facts.js";

const ann: AccountMark = { mode: "login", fingerprint: "a".repeat(16) };
const bob: AccountMark = { mode: "login", fingerprint: "b".repeat(16) };

const waiting = (overrides: Partial<Slot> = {}) =>
  slot({ status: "queued", start: "resume", session: "s", account: ann, notBefore: 0, ...overrides });

test("a dispatch records whose account its agent works on", () => {
  const work = { ready: [bead({ id: "b-2" })], all: [bead({ id: "b-2" })] };
  const { effects } = decideTick(tickFacts({ work, accounts: { claude: ann } }));
  expect(effects).toMatchObject([
    { kind: "append", events: [{ type: "slot.dispatching", data: { account: ann } }] },
  ]);
});

test("where nothing is pinned, or on another runtime, there is nothing to record", () => {
  for (const accounts of [undefined, { codex: ann }])
    expect(redispatch(waiting({ account: undefined }), { accounts }).data).not.toHaveProperty("account");
});

test.each<{
  name: string;
  before: AccountMark | undefined;
  now: AccountMark | undefined;
  session: string | null;
}>([
  { name: "of the same account goes on", before: ann, now: ann, session: "s" },
  { name: "goes on where nothing is pinned", before: undefined, now: undefined, session: "s" },
  { name: "of another account does not", before: ann, now: bob, session: null },
  { name: "from before the pin does not", before: undefined, now: ann, session: null },
  { name: "of a pin that is gone does not", before: ann, now: undefined, session: null },
])("a session $name, and neither does it through a stage or a review", ({ before, now, session }) => {
  const accounts = now === undefined ? {} : { claude: now };
  for (const task of ["implement", "stage:docs", "review"]) {
    const state = stateWith(waiting({ account: before, task }));
    const event = redispatch(waiting({ account: before, task }), { accounts });
    expect(event.data).toMatchObject({ session });
    append(state, event as NewEvent);
    expect(state.slots["b-1"]).toMatchObject({ session });
    expect(state.slots["b-1"]?.account).toEqual(now);
  }
});

test("a mode that this koryph does not know keeps no dispatch from being read", () => {
  const event = {
    type: "slot.dispatching",
    bead: "b-1",
    run: "r-1",
    data: redispatch(waiting({ account: undefined })).data,
  };
  const line = JSON.stringify({
    ...JSON.parse(writeEvent(stamped(event))),
    data: { ...event.data, account: { mode: "passkey", fingerprint: "c" } },
  });
  expect(readEvent(line)).toMatchObject({ kind: "event", event: { data: { attempt: 2, session: "s" } } });
});

function stamped(event: object) {
  return {
    id: "01J00000000000000000000000",
    at: "2026-01-31T12:00:00.000Z",
    actor: "ann",
    ...event,
  } as never;
}

test("what was dispatched on another account than the one of now is not launched, and is dispatched anew", () => {
  const left = { head: null, began: null, commits: 0, dirty: false, said: null };
  const seen = observed({ claim: "ours", worktree: "ready", left });
  const first = (account: AccountMark | undefined, now: AccountMark | undefined) => {
    const state = stateWith(slot({ status: "dispatching", process: null, account }));
    const accounts = now === undefined ? undefined : { claude: now };
    return decideTick(tickFacts({ state, accounts, observations: new Map([["b-1", seen]]) })).effects[0];
  };
  for (const account of [ann, undefined]) expect(first(account, account)).toMatchObject({ kind: "launch" });
  for (const [before, now] of [
    [ann, bob],
    [undefined, bob],
    [ann, undefined],
  ] as const)
    expect(first(before, now)).toMatchObject({
      kind: "append",
      events: [
        { type: "slot.ended", why: { code: "account-changed" }, data: { usage: { cost_usd: 0 } } },
        { type: "slot.queued", data: { counts: "none" } },
      ],
    });
});
