import { expect, test } from "vitest";
import { awaitsEngine, isSettled, requestOutcome } from "../../../src/core/control/request-outcome.js";
import { watchRequest } from "../../../src/core/control/watch-request.js";
import { rowOf } from "../../../src/core/replies/commands/reply-row.js";
import { outcomeRow } from "../../../src/core/replies/control/outcome-row.js";
import type { LedgerEvent } from "../../../src/core/run/ledger/ledger-event.js";
import { decide, NOW, taken } from "../../support/core/control.js";

const at = "2026-01-01T15:11:12.000Z";
const now = Date.parse("2026-01-01T15:20:00Z");
const event = (given: object): LedgerEvent => ({ id: "x", at, actor: "a", data: {}, ...given }) as never;
const asked = (type: string) => event({ id: "q", type });
const renewed = event({ id: "l", type: "lease.renewed" });
const answered = (code: string, note: string, request = "q") =>
  event({ id: "a", type: "control.consumed", run: "r-1", data: { request, note, code } });

test("a refused landing is told with what to do about it, in letters that do nothing", () => {
  const refused = (data?: object) =>
    event({ type: "land.refused", data: { request: "q", code: "draft", detail: "it is a draft", data } });
  const row = { ...rowOf("/koryph land"), said: "asked" };
  const shown = (data?: object) =>
    outcomeRow(row, requestOutcome("q", [asked("pull.landing"), refused(data)]), now);
  expect(shown({ next: "@maria looks" })).toMatchObject({
    ...{ result: "refused", code: "draft", said: "not landed: it is a draft" },
    next: expect.not.stringContaining("@maria"),
  });
  expect(shown({ next: "look at it" })).toMatchObject({ next: "look at it" });
  for (const wrong of [undefined, {}, { next: 7 }]) expect(shown(wrong)).toMatchObject({ next: "" });
});

test.each<{ name: string; recent: LedgerEvent[]; settled: boolean; result: string; said: string }>([
  {
    name: "nobody has shown that they know of it",
    recent: [renewed, asked("control.drain"), event({ id: "h", type: "hold.placed" })],
    settled: false,
    result: "queued",
    said: "asked. No engine has taken it yet, as of 15:20:00 UTC",
  },
  {
    name: "what an engine recorded before it was asked, and shared after that, says nothing",
    recent: [asked("control.drain"), { ...renewed, at: "2026-01-01T15:11:02.000Z" }],
    settled: false,
    result: "queued",
    said: "asked. No engine has taken it yet, as of 15:20:00 UTC",
  },
  {
    name: "a setting counts as soon as an engine was heard of after it",
    recent: [asked("control.resize"), renewed],
    settled: true,
    result: "done",
    said: "asked. The engine took it at 15:11:12 UTC",
  },
  {
    name: "an engine that knows of a nudge may still have to deliver it",
    recent: [asked("control.nudge"), renewed],
    settled: false,
    result: "queued",
    said: "asked. The engine has known of it since 15:11:12 UTC, and has not acted on it yet",
  },
  {
    name: "an answer to something else is none",
    recent: [asked("control.stop"), answered("stopping", "stopping", "other")],
    settled: false,
    result: "queued",
    said: "asked. The engine has known of it since 15:11:12 UTC, and has not acted on it yet",
  },
  {
    name: "a nudge is delivered",
    recent: [asked("control.nudge"), renewed, answered("delivered", "delivered")],
    settled: true,
    result: "done",
    said: "asked. The engine took it at 15:11:12 UTC: delivered",
  },
  {
    name: "a nudge is refused, in words that become no markup",
    recent: [asked("control.nudge"), answered("no-agent", "<b>no</b>")],
    settled: true,
    result: "refused",
    said: "asked. The engine refused it at 15:11:12 UTC: &#60;b&#62;no&#60;/b&#62;",
  },
  { name: "the ledger was rolled since", recent: [renewed], settled: true, result: "queued", said: "asked" },
])("$name", ({ recent, settled, result, said }) => {
  const outcome = requestOutcome("q", recent);
  expect(isSettled(outcome)).toBe(settled);
  expect(outcomeRow({ ...rowOf("x"), result: "queued", said: "asked" }, outcome, now)).toMatchObject({
    result,
    said,
  });
});

const MINUTE = 60_000;
test.each([
  { name: "young", given: { ageMs: 30_000, settled: false, told: false }, tell: false, againMs: 10_000 },
  { name: "older", given: { ageMs: 2 * MINUTE, settled: false, told: false }, tell: false, againMs: 30_000 },
  {
    name: "late",
    given: { ageMs: 3 * MINUTE, settled: false, told: false },
    tell: true,
    againMs: 5 * MINUTE,
  },
  {
    name: "late and told",
    given: { ageMs: 9 * MINUTE, settled: false, told: true },
    tell: false,
    againMs: 5 * MINUTE,
  },
  { name: "known", given: { ageMs: 1000, settled: true, told: false }, tell: true, againMs: null },
  { name: "known and told", given: { ageMs: 1000, settled: true, told: true }, tell: false, againMs: null },
  { name: "given up", given: { ageMs: 60 * MINUTE, settled: false, told: true }, tell: false, againMs: null },
])("a request that is $name", ({ given, tell, againMs }) => {
  expect(watchRequest(given)).toEqual({ tell, againMs });
});

test("only what an engine that runs is to act on is waited for", () => {
  expect(awaitsEngine(decide({ verb: "drain" }))).toBe(true);
  expect(awaitsEngine(decide({ verb: "hold", bead: null, reason: "" }))).toBe(false);
  const retry = { verb: "retry", bead: null } as const;
  const blocked = taken("blocked");
  expect(awaitsEngine(decide(retry, { state: blocked }))).toBe(true);
  expect(awaitsEngine(decide(retry, { state: { ...blocked, run: null } }))).toBe(false);
  expect(NOW).toBeLessThan(now);
});
