import { expect, test } from "vitest";
import { changedLines } from "../../../../src/core/review/pull/changed-lines.js";
import { placeFinding } from "../../../../src/core/review/pull/place-finding.js";

const shown = (diff: string) =>
  Object.fromEntries([...changedLines(diff)].map(([path, lines]) => [path, Object.fromEntries(lines)]));

const header = (path: string) =>
  `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n`;

test.each([
  {
    name: "a hunk's added and unchanged lines can carry a comment, by their new numbers",
    diff: `${header("a.ts")}@@ -3,3 +3,3 @@ function f() {\n one\n-two\n+TWO\n three\n`,
    lines: { "a.ts": { 3: "one", 4: "TWO", 5: "three" } },
  },
  {
    name: "a hunk of one line each has no counts",
    diff: `${header("a.ts")}@@ -1 +1 @@\n-x\n+y\n`,
    lines: { "a.ts": { 1: "y" } },
  },
  {
    name: "a deleted file has none",
    diff: "diff --git a/a b/a\ndeleted file mode 100644\nindex 1..0\n--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
    lines: {},
  },
  {
    name: "a renamed file goes by its new name",
    diff: "diff --git a/old b/new\nsimilarity index 90%\nrename from old\nrename to new\n--- a/old\n+++ b/new\n@@ -1 +1,2 @@\n x\n+y\n",
    lines: { new: { 1: "x", 2: "y" } },
  },
  {
    name: "a mere rename and a binary file have none",
    diff: "diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\ndiff --git a/p.png b/p.png\nBinary files a/p.png and b/p.png differ\n",
    lines: {},
  },
  {
    name: "a missing line end is no line",
    diff: `${header("a")}@@ -1 +1,2 @@\n-x\n\\ No newline at end of file\n+x\n+y\n\\ No newline at end of file\n${header("b")}@@ -0,0 +1 @@\n+z\n`,
    lines: { a: { 1: "x", 2: "y" }, b: { 1: "z" } },
  },
  {
    name: "lines that look like headers of another file are lines",
    diff: `${header("a")}@@ -1,2 +1,4 @@\n--- a/evil\n-x\n+++ b/evil\n+@@ -1 +1 @@\n+diff --git a/q b/q\n+y\n${header("b")}@@ -1 +1 @@\n-z\n+w\n`,
    lines: { a: { 1: "++ b/evil", 2: "@@ -1 +1 @@", 3: "diff --git a/q b/q", 4: "y" }, b: { 1: "w" } },
  },
  {
    name: "quoted and odd names are read as git wrote them",
    diff: `diff --git "a/t\\tb" "b/t\\tb"\n--- "a/t\\tb"\n+++ "b/\\303\\244\\"\\\\\\n.ts"\n@@ -1 +1 @@\n-x\n+y\ndiff --git a/a b c b/a b c\n--- a/a b c\t\n+++ b/a b c\t\n@@ -1 +1 @@\n-x\n+z\n`,
    lines: { 'ä"\\\n.ts': { 1: "y" }, "a b c": { 1: "z" } },
  },
  {
    name: "a name that is no UTF-8, and a submodule, have none",
    diff: `diff --git "a/\\377" "b/\\377"\n--- "a/\\377"\n+++ "b/\\377"\n@@ -1 +1 @@\n-x\n+y\ndiff --git a/sub b/sub\nindex 1234567..89abcde 160000\n--- a/sub\n+++ b/sub\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n`,
    lines: {},
  },
  {
    name: "a text that was cut in a hunk keeps what is there",
    diff: `${header("a")}@@ -1,9 +1,9 @@\n x\n+y\n`,
    lines: { a: { 1: "x", 2: "y" } },
  },
])("$name", ({ diff, lines }) => expect(shown(diff)).toEqual(lines));

test("three thousand files are read", () => {
  const diff = Array.from(
    { length: 3_000 },
    (_, n) => `${header(`src/f${n}.ts`)}@@ -1 +1,2 @@\n x\n+y${n}\n`,
  ).join("");
  const lines = changedLines(diff);
  expect(lines.size).toBe(3_000);
  expect(lines.get("src/f2999.ts")?.get(2)).toBe("y2999");
});

test.each([
  { name: "a line of the change", file: "a.ts", line: 2, want: { path: "a.ts", line: 2, code: "y" } },
  { name: "a path written with a dot", file: "./a.ts", line: 2, want: { path: "a.ts", line: 2, code: "y" } },
  { name: "a line outside the change", file: "a.ts", line: 9, want: null },
  { name: "a file that is not changed", file: "b.ts", line: 2, want: null },
  { name: "no line", file: "a.ts", line: null, want: null },
  { name: "a path that leaves the repository", file: "../a.ts", line: 2, want: null },
])("a finding on $name is placed there or nowhere", ({ file, line, want }) => {
  const changed = new Map([["a.ts", new Map([[2, "y"]])]]);
  expect(placeFinding({ file, line }, changed)).toEqual(want);
});
