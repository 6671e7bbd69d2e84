import fc from "fast-check";
import { expect, test } from "vitest";
import { nearest, nearestFew } from "../../src/lib/nearest.js";

const known = ["gate", "land", "ledger", "bootstrap", "merge_policy", "merge_method"];

test.each([
  { name: "a letter too many", word: "gates", expected: "gate" },
  { name: "a letter too few", word: "bootstap", expected: "bootstrap" },
  { name: "a wrong letter", word: "lind", expected: "land" },
  { name: "two letters swapped count as one slip", word: "gaet", expected: "gate" },
  { name: "another letter case", word: "LEDGER", expected: "ledger" },
  { name: "several slips in a long word", word: "merg_polizy", expected: "merge_policy" },
  { name: "hyphens for underscores", word: "merge-method", expected: "merge_method" },
])("$name is recognised", ({ word, expected }) => expect(nearest(word, known)).toBe(expected));

test.each([
  { name: "a word like no other", word: "colour" },
  { name: "two slips in a short word", word: "gtxe" },
  { name: "an empty word", word: "" },
])("$name has no neighbour", ({ word }) => expect(nearest(word, known)).toBeNull());

test("without known words there is no neighbour", () => expect(nearest("gate", [])).toBeNull());

test("of equally near words the first is taken", () => expect(nearest("bat", ["cat", "hat"])).toBe("cat"));

test("a nearer word beats an earlier one", () =>
  expect(nearest("bootstraps", ["bootstrip", "bootstrap"])).toBe("bootstrap"));

test("a known word is its own neighbour", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1 }),
      fc.nat(),
      (words, pick) => {
        const word = words[pick % words.length];
        expect(nearest(word ?? "", words)).toBe(word);
      },
    ),
  );
});

test("the closest few come closest first, and none that is far", () => {
  const known = ["kiosk-1", "kiosk-12", "shop-99", "kiosk-2", "kiosk-11"];
  expect(nearestFew("kiosk-10", known, 3)).toEqual(["kiosk-1", "kiosk-12", "kiosk-11"]);
  expect(nearestFew("zzz", known, 3)).toEqual([]);
});
