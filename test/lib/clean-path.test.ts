import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanPath } from "../../src/lib/paths/clean-path.js";

test.each([
  { name: "a plain path stays", path: "a/b.ts", expected: ["a", "b.ts"] },
  { name: "dots are dropped", path: "./a/./b", expected: ["a", "b"] },
  { name: "doubled and outer slashes are dropped", path: "//a//b/", expected: ["a", "b"] },
  { name: "a step up takes the folder before it", path: "a/b/../c", expected: ["a", "c"] },
  { name: "steps up may end at the top", path: "a/..", expected: [] },
  { name: "a backslash is a letter like others", path: "a\\b", expected: ["a\\b"] },
  { name: "names that only begin with dots stay", path: "...a/.b/..c", expected: ["...a", ".b", "..c"] },
  { name: "an empty path is the top", path: "", expected: [] },
])("$name", ({ path, expected }) => expect(cleanPath(path)).toEqual(expected));

test.each([{ path: ".." }, { path: "../a" }, { path: "a/../../b" }, { path: "/.." }])(
  "$path leaves the repository",
  ({ path }) => expect(cleanPath(path)).toBeNull(),
);

test("a cleaned path is clean", () => {
  const segment = fc.constantFrom("a", "b", ".", "..", "");
  fc.assert(
    fc.property(fc.array(segment), (segments) => {
      const once = cleanPath(segments.join("/"));
      fc.pre(once !== null);
      expect(cleanPath(once.join("/"))).toEqual(once);
    }),
  );
});
