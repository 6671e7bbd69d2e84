import fc from "fast-check";
import { expect, test } from "vitest";
import { ulid } from "../../src/lib/ulid.js";

const zero = new Uint8Array(10);

test.each([
  { name: "the beginning of time", time: 0, random: zero, gives: "00000000000000000000000000" },
  {
    name: "the published example's time",
    time: 1469918176385,
    random: zero,
    gives: "01ARYZ6S410000000000000000",
  },
  { name: "all bits of chance", time: 0, random: zero.map(() => 255), gives: "0000000000ZZZZZZZZZZZZZZZZ" },
  { name: "a clock before the beginning", time: -5, random: zero, gives: "00000000000000000000000000" },
])("$name", ({ time, random, gives }) => expect(ulid(time, random)).toBe(gives));

test("ids of different milliseconds sort by time, whatever chance says", () => {
  const bytes = fc.uint8Array({ minLength: 10, maxLength: 10 });
  fc.assert(
    fc.property(fc.nat(2 ** 45), fc.nat(2 ** 20), bytes, bytes, (time, later, one, other) => {
      expect(ulid(time, one) < ulid(time + later + 1, other)).toBe(true);
    }),
  );
});

test("each random byte tells ids apart", () => {
  const ids = Array.from({ length: 10 }, (_, at) =>
    ulid(
      1,
      Uint8Array.from(zero, (_, index) => +(index === at)),
    ),
  );
  expect(new Set(ids).size).toBe(10);
});

test("too little chance is refused", () => {
  expect(() => ulid(1, new Uint8Array(9))).toThrow(RangeError);
});
