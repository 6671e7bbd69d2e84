import { expect, test } from "vitest";
import {
  type CommandUse,
  decideRate,
  isCapTold,
  RATE_WINDOW_MS,
  refusalVoice,
  THREAD_CAP,
  USER_CAP,
} from "../../../src/core/commands/rate.js";

const NOW = Date.UTC(2026, 10, 16, 12);
const MINUTE = 60_000;
const asking: CommandUse = { at: NOW, user: "ann", thread: 7 };

const uses = (count: number, given: Partial<CommandUse> = {}): CommandUse[] =>
  Array.from({ length: count }, () => ({ ...asking, at: NOW - 1, ...given }));
/** By different people, the last five by the one who asks, so that only the thread counts. */
const byMany = (count: number, given: Partial<CommandUse> = {}) =>
  uses(count, given).map((use, index) => ({ ...use, user: index < count - 5 ? `user-${index}` : "ann" }));

test("the caps are 20 in ten minutes for a person and 60 an hour for a thread", () => {
  expect(USER_CAP).toEqual({ most: 20, windowMs: 10 * MINUTE });
  expect(THREAD_CAP).toEqual({ most: 60, each: 5, windowMs: 60 * MINUTE });
  expect(RATE_WINDOW_MS).toBe(60 * MINUTE);
});

test.each<{ name: string; earlier: CommandUse[]; answer: string }>([
  { name: "the first is taken up", earlier: [], answer: "ok" },
  { name: "a person's 20th is taken up", earlier: uses(19), answer: "ok" },
  { name: "a person's 21st is not", earlier: uses(20), answer: "capped" },
  { name: "a person's uses count on every thread", earlier: uses(20, { thread: 8 }), answer: "capped" },
  { name: "other people's uses do not count for a person", earlier: uses(20, { user: "bob" }), answer: "ok" },
  {
    name: "a use just inside ten minutes counts",
    earlier: uses(20, { at: NOW - 10 * MINUTE + 1 }),
    answer: "capped",
  },
  { name: "a use ten minutes old does not", earlier: uses(20, { at: NOW - 10 * MINUTE }), answer: "ok" },
  { name: "a thread's 60th is taken up", earlier: byMany(59), answer: "ok" },
  { name: "a thread's 61st is not", earlier: byMany(60), answer: "capped" },
  {
    name: "whoever has said little there is heard, however much others say",
    earlier: [...uses(60, { user: "bob" }), ...uses(4)],
    answer: "ok",
  },
  {
    name: "uses on other threads do not count for a thread",
    earlier: byMany(60, { thread: 8 }),
    answer: "ok",
  },
  {
    name: "a use just inside the hour counts",
    earlier: byMany(60, { at: NOW - 60 * MINUTE + 1 }),
    answer: "capped",
  },
  { name: "a use an hour old does not", earlier: byMany(60, { at: NOW - 60 * MINUTE }), answer: "ok" },
  { name: "a use of this very moment counts", earlier: uses(20, { at: NOW }), answer: "capped" },
  {
    name: "uses from when the clock ran ahead do not count for a person",
    earlier: uses(20, { at: NOW + 60 * MINUTE }),
    answer: "ok",
  },
  { name: "nor for a thread", earlier: byMany(60, { at: NOW + 1 }), answer: "ok" },
])("$name", ({ earlier, answer }) => expect(decideRate(earlier, asking).kind).toBe(answer));

test.each<{ name: string; earlier: CommandUse[]; by: string; minutes: number }>([
  {
    name: "a person is heard again when the oldest of 20 is out of the window",
    earlier: [...uses(1, { at: NOW - 9 * MINUTE }), ...uses(19)],
    by: "person",
    minutes: 1,
  },
  {
    name: "more than 20 have to leave it down to 19",
    earlier: [...uses(2, { at: NOW - 9 * MINUTE }), ...uses(19, { at: NOW - 4 * MINUTE })],
    by: "person",
    minutes: 1,
  },
  {
    name: "a thread is open again when it has room, or for whoever has said little",
    earlier: byMany(60).map((use, index) => (index === 55 ? { ...use, at: NOW - 50 * MINUTE } : use)),
    by: "thread",
    minutes: 10,
  },
])("$name", ({ earlier, by, minutes }) => {
  expect(decideRate(earlier, asking)).toEqual({ kind: "capped", by, until: NOW + minutes * MINUTE });
});

test("a cap is told of once in its window", () => {
  expect(isCapTold("person", NOW - 10 * MINUTE + 1, NOW)).toBe(true);
  expect(isCapTold("person", NOW - 10 * MINUTE, NOW)).toBe(false);
  expect(isCapTold("thread", NOW - 59 * MINUTE, NOW)).toBe(true);
});

test.each<{ name: string; refusals: number[]; answer: string }>([
  { name: "the first refusal is told", refusals: [], answer: "line" },
  { name: "the second within the hour is not", refusals: [NOW - 1], answer: "silent" },
  { name: "just inside the hour is within it", refusals: [NOW - 60 * MINUTE + 1], answer: "silent" },
  { name: "after an hour it is told again", refusals: [NOW - 60 * MINUTE], answer: "line" },
  { name: "one from when the clock ran ahead does not count", refusals: [NOW + MINUTE], answer: "line" },
])("$name", ({ refusals, answer }) => expect(refusalVoice(refusals, NOW)).toBe(answer));
