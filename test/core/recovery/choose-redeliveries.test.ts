import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chooseRedeliveries, type DeliveryAttempt } from "../../../src/core/recovery/choose-redeliveries.js";
import { LONG } from "../../support/long.js";

const NOW = Date.parse("2026-01-10T00:00:00Z");
const HOUR = 3_600_000;
const nothingKnown = { now: NOW, asked: () => 0, known: () => false };

function attempt(id: string, given: Partial<DeliveryAttempt> = {}): DeliveryAttempt {
  return { id, guid: "g", deliveredAt: NOW - HOUR, statusCode: 502, ...given };
}

describe("what is asked for again", () => {
  const later = { deliveredAt: NOW - HOUR / 2 };
  test.each<{ name: string; given: DeliveryAttempt[]; facts?: object; expected: string[] }>([
    { name: "a failed event", given: [attempt("1")], expected: ["1"] },
    { name: "one that met no server", given: [attempt("1", { statusCode: 0 })], expected: ["1"] },
    { name: "one that was sent elsewhere", given: [attempt("1", { statusCode: 302 })], expected: ["1"] },
    { name: "nothing that arrived", given: [attempt("1", { statusCode: 202 })], expected: [] },
    { name: "the newest attempt only", given: [attempt("2", later), attempt("1")], expected: ["2"] },
    { name: "the newest in any order", given: [attempt("1"), attempt("2", later)], expected: ["2"] },
    {
      name: "nothing that arrived at a later attempt",
      given: [attempt("2", { ...later, statusCode: 202 }), attempt("1")],
      expected: [],
    },
    {
      name: "nothing that arrived once, even if a later attempt failed",
      given: [attempt("2", later), attempt("1", { statusCode: 200 })],
      expected: [],
    },
    {
      name: "what is just three days old",
      given: [attempt("1", { deliveredAt: NOW - 72 * HOUR })],
      expected: ["1"],
    },
    {
      name: "nothing older than three days",
      given: [attempt("1", { deliveredAt: NOW - 72 * HOUR - 1 })],
      expected: [],
    },
    {
      name: "what was asked for four times",
      given: [attempt("1")],
      facts: { asked: () => 4 },
      expected: ["1"],
    },
    {
      name: "nothing asked for five times of late",
      given: [attempt("1", { deliveredAt: NOW - HOUR / 3 + 1 })],
      facts: { asked: () => 5 },
      expected: [],
    },
    {
      name: "what was asked for five times, once a while has passed",
      given: [attempt("1", { deliveredAt: NOW - HOUR / 3 })],
      facts: { asked: () => 5 },
      expected: ["1"],
    },
    {
      name: "nothing that was asked for all the three days",
      given: [attempt("1")],
      facts: { asked: () => 216 },
      expected: [],
    },
    { name: "nothing the inbox has", given: [attempt("1")], facts: { known: () => true }, expected: [] },
    {
      name: "the oldest event first",
      given: [attempt("2", { ...later, guid: "b" }), attempt("1", { guid: "a" })],
      expected: ["1", "2"],
    },
  ])("$name", ({ given, facts, expected }) => {
    const chosen = chooseRedeliveries(given, { ...nothingKnown, ...facts });
    expect(chosen.map(({ id }) => id)).toEqual(expected);
  });
});

test("however deliveries are doubled and shuffled, each event without success is asked for once, none with", () => {
  const attempts = fc.array(
    fc.record({
      guid: fc.constantFrom("a", "b", "c", "d", "e"),
      id: fc.nat().map(String),
      deliveredAt: fc.integer({ min: NOW - 71 * HOUR, max: NOW }),
      statusCode: fc.constantFrom(0, 200, 202, 400, 502),
    }),
  );
  const shuffled = attempts.chain((list) =>
    fc.shuffledSubarray([...list, ...list], { minLength: list.length * 2 }),
  );
  fc.assert(
    fc.property(shuffled, (deliveries) => {
      const chosen = chooseRedeliveries(deliveries, nothingKnown).map(({ guid }) => guid);
      const arrived = new Set(deliveries.filter((d) => [200, 202].includes(d.statusCode)).map((d) => d.guid));
      const owed = new Set(deliveries.map((d) => d.guid).filter((guid) => !arrived.has(guid)));
      expect([...chosen].sort()).toEqual([...owed].sort());
    }),
    { numRuns: LONG ? 10_000 : 500 },
  );
});
