import fc from "fast-check";
import { expect, test } from "vitest";
import { naturalOrder } from "../../src/lib/natural-order.js";

test("numbers count as numbers, letters as letters", () => {
  const ids = ["kiosk-10", "kiosk-3", "kiosk-1", "b-2", "kiosk-3.10", "kiosk-3.9"];
  expect(ids.sort(naturalOrder)).toEqual([
    "b-2",
    "kiosk-1",
    "kiosk-3",
    "kiosk-3.9",
    "kiosk-3.10",
    "kiosk-10",
  ]);
});

test("names that differ in their number only are in the order of all names", () => {
  const collator = new Intl.Collator("en", { numeric: true });
  const name = fc.stringMatching(/^[a-zA-Z0-9.-]{0,4}$/);
  const number = fc.oneof(fc.stringMatching(/^[0-9]{0,3}$/), fc.stringMatching(/^[0-9]{14,18}$/));
  fc.assert(
    fc.property(name, name, number, number, (start, other, one, two) => {
      for (const [a, b] of [
        [start + one, start + two],
        [start + one, other + two],
      ] as const)
        expect(Math.sign(naturalOrder(a, b))).toBe(Math.sign(collator.compare(a, b)));
    }),
  );
});
