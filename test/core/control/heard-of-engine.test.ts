import { expect, test } from "vitest";
import { isRefusedByStanding, knownAsOf } from "../../../src/core/control/heard-of-engine.js";
import { rowOf } from "../../../src/core/replies/commands/reply-row.js";
import { agedRow } from "../../../src/core/replies/control/comment-reply.js";
import type { LedgerEvent } from "../../../src/core/run/ledger/ledger-event.js";
import type { LedgerState } from "../../../src/core/run/ledger/ledger-state.js";
import { ulid } from "../../../src/lib/ulid.js";
import { decide, NOW, STOP, taken, working } from "../../support/core/control.js";

const SECOND = 1000;
const ago = (seconds: number) => new Date(NOW - seconds * SECOND).toISOString();
const engines = (seconds: number): LedgerEvent =>
  ({ id: "e", at: ago(seconds), actor: "engine", run: "r-1", type: "slot.ended", data: {} }) as never;
const comments = (seconds: number): LedgerEvent =>
  ({ id: "c", at: ago(seconds), actor: "@ann", type: "control.drain", data: {} }) as never;
const leased = (seconds: number): LedgerState => {
  const seenAs = ulid(NOW - seconds * SECOND, new Uint8Array(10));
  return { ...working, lease: { id: seenAs, holder: "e", host: "h", ttlSeconds: 60, seenAs } };
};
const ended = { ...working, run: { ...(working.run as never as object), ended: {} } } as LedgerState;

test.each<{ name: string; state?: LedgerState; recent: LedgerEvent[]; age: number | null }>([
  { name: "an engine's last word tells the age", recent: [engines(90), engines(40)], age: 40 },
  { name: "two seconds are as good as now", recent: [engines(2)], age: null },
  { name: "five are not: a bead may have been taken since", recent: [engines(5)], age: 5 },
  { name: "what a person asked for since makes it no younger", recent: [engines(40), comments(1)], age: 40 },
  { name: "a lease that was renewed since does", state: leased(20), recent: [engines(40)], age: 20 },
  { name: "the lease tells where the last events do not", state: leased(30), recent: [comments(2)], age: 30 },
  { name: "a silent engine is told of otherwise", state: leased(3600), recent: [engines(3600)], age: null },
  { name: "without a run nothing changes", state: ended, recent: [engines(40)], age: null },
  { name: "a clock that runs ahead makes no age", recent: [engines(-40)], age: null },
  {
    name: "an unreadable time makes none",
    recent: [{ ...engines(40), at: "soon" } as LedgerEvent],
    age: null,
  },
])("$name", ({ state = working, recent, age }) => {
  expect(knownAsOf(state, recent, NOW)).toBe(age === null ? null : NOW - age * SECOND);
});

test("a refusal for how a bead stands has an age, another one has none", () => {
  expect(isRefusedByStanding(decide({ ...STOP, bead: "gh-7" }, { state: taken("blocked") }))).toBe(true);
  expect(isRefusedByStanding(decide({ verb: "unhold", bead: "gh-7" }))).toBe(false);
  expect(isRefusedByStanding(decide({ verb: "drain" }))).toBe(false);
});

test.each([
  { asOf: "2026-11-17T15:11:12.345Z", said: "how it stands, as of 15:11:12 UTC" },
  { asOf: "2026-11-16T23:59:58.000Z", said: "how it stands, as of 2026-11-16 23:59:58 UTC" },
])("$said", ({ asOf, said }) => {
  const row = { ...rowOf("/koryph status"), said: "how it stands" };
  const now = Date.parse("2026-11-17T15:12:00Z");
  expect(agedRow(row, Date.parse(asOf), now).said).toBe(said);
  expect(agedRow(row, null, now)).toBe(row);
});
