import { describe, expect, test } from "vitest";
import { TokenBook } from "../../../src/core/schedule/token-book.js";
import { tokenPrefixes } from "../../../src/core/schedule/token-prefixes.js";

/** What is found among tokens, as `folder: those below it`. */
function found(writes: readonly string[], reads: readonly string[] = []): string[] {
  const book = new TokenBook();
  book.open();
  book.fill({ reads, writes });
  return tokenPrefixes(book).map(({ token, below }) => `${token}: ${below.join(" ")}`);
}

describe("a token is a folder of another", () => {
  test.each<{ name: string; writes: string[]; reads?: string[]; expected: string[] }>([
    { name: "with and without its slash", writes: ["a", "a/", "a/b"], expected: ["a: a/ a/b", "a/: a/b"] },
    { name: "at any depth", writes: ["a", "a/b", "a/b/c"], expected: ["a: a/b a/b/c", "a/b: a/b/c"] },
    { name: "not when it only begins like it", writes: ["a", "ab", "ab/c"], expected: ["ab: ab/c"] },
    { name: "not of itself", writes: ["a/"], expected: [] },
    {
      name: "by names in their order",
      writes: ["b", "b/z", "b/y", "a", "a/x"],
      expected: ["a: a/x", "b: b/y b/z"],
    },
    { name: "from the root", writes: ["/a", "/a/b", "/"], expected: ["/a: /a/b"] },
    { name: "when the folder is written", writes: ["a"], reads: ["a/b"], expected: ["a: a/b"] },
    { name: "when what lies below is written", writes: ["a/b"], reads: ["a"], expected: ["a: a/b"] },
    { name: "not where both are only read", writes: [], reads: ["a", "a/b"], expected: [] },
  ])("$name", ({ writes, reads, expected }) => expect(found(writes, reads)).toEqual(expected));
});

test("at most twenty are shown, with the first ten below each", () => {
  const numbers = Array.from({ length: 21 }, (_, n) => String(n).padStart(2, "0"));
  const folders = found(numbers.flatMap((n) => [`d${n}`, `d${n}/x`]));
  expect(folders).toEqual(numbers.slice(0, 20).map((n) => `d${n}: d${n}/x`));
  const [shown = ""] = found(["d", ...numbers.map((n) => `d/${n}`).reverse()]);
  expect(shown).toBe(
    `d: ${numbers
      .slice(0, 10)
      .map((n) => `d/${n}`)
      .join(" ")}`,
  );
});

test("folders deeper than any repository has are not looked for", () => {
  const deep = (depth: number) => Array.from({ length: depth }, () => "d").join("/");
  expect(found([deep(64), deep(65)])).toEqual([`${deep(64)}: ${deep(65)}`]);
  expect(found([deep(65), deep(66)])).toEqual([]);
});
