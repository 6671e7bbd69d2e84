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
