import fc from "fast-check";
import { expect, test } from "vitest";
import { countConflicts } from "../../../src/core/schedule/conflict-count.js";
import { isWrite, tokenOf } from "../../../src/core/schedule/token-book.js";

const TOKENS = 9;
const entry = fc.nat(2 * TOKENS - 1);
/** Longer and shorter than the rows that are counted by their subsets. */
const rows = fc.array(
  fc.uniqueArray(entry, { selector: tokenOf, maxLength: 7 }).map((row) => row.sort((a, b) => a - b)),
  { maxLength: 14 },
);

function conflict(a: readonly number[], b: readonly number[]): boolean {
  return a.some((one) =>
    b.some((other) => tokenOf(one) === tokenOf(other) && (isWrite(one) || isWrite(other))),
  );
}

test.each([
  { name: "few tokens", tokens: TOKENS },
  { name: "so many tokens that only short rows have subsets to count", tokens: 1_000_000 },
  { name: "so many tokens that no two of them make one number", tokens: 2 ** 30 },
])("with $name, conflicts are counted as by comparing all with all", ({ tokens }) => {
  fc.assert(
    fc.property(rows, (given) => {
      const pairs = given.flatMap((a, index) => given.slice(index + 1).filter((b) => conflict(a, b)));
      expect(countConflicts(given, tokens)).toBe(pairs.length);
    }),
    { numRuns: 200 },
  );
});
