import { describe, expect, test } from "vitest";
import { badName } from "../../../src/core/land/content/bad-name.js";
import { leadsOutside } from "../../../src/core/land/content/leads-outside.js";
import { ORDINARY, type RangeContent } from "../../../src/core/land/content/range-content.js";
import { flaggedContent, refusedContent } from "../../../src/core/land/content/unusual-content.js";

describe("a name", () => {
  test.each([
    "src/a.ts",
    "docs/Überblick.md",
    "auxiliary.c",
    "a b.txt",
    ".gitignore",
    ".github/x.yml",
    "com.example/x",
    "日本.md",
    "a-b_c(1).md",
  ])("%s is an ordinary one", (path) => expect(badName(path)).toBeNull());

  test.each([
    { path: "aux", why: "a device on Windows" },
    { path: "src/NUL.txt", why: "a device on Windows" },
    { path: "com1.tar.gz", why: "a device on Windows" },
    { path: "a:b", why: "a character that Windows has no names with" },
    { path: "a\\b", why: "a character that Windows has no names with" },
    { path: "folder./x", why: "ends with a dot or a blank" },
    { path: "x ", why: "ends with a dot or a blank" },
    { path: "sub/.GIT/config", why: "looks like .git" },
    { path: ".g\u200bit/config", why: "looks like .git" },
    { path: ".git. /config", why: "looks like .git" },
    { path: "git~1/config", why: "looks like .git" },
    { path: "a\nb", why: "a control character" },
    { path: "a\u001b[31m", why: "a control character" },
    { path: "txt.\u202eexe", why: "a control character" },
  ])("$path is refused: $why", ({ path, why }) => expect(badName(path)).toBe(why));
});

test.each([
  { path: "a", target: "b", outside: false },
  { path: "a/b", target: "../c", outside: false },
  { path: "a/b/c", target: "./x/../../y", outside: false },
  { path: "a", target: "/etc/hosts", outside: true },
  { path: "a", target: "C:\\x", outside: true },
  { path: "a", target: "\\\\host\\x", outside: true },
  { path: "a", target: "../a", outside: true },
  { path: "a/b", target: "../../x", outside: true },
  { path: "a/b", target: "c/../../../x/a", outside: true },
  { path: "a", target: ".git/hooks", outside: true },
  { path: "a/b", target: "../.GIT/config", outside: true },
  { path: "a", target: "", outside: true },
])("a link at $path to $target leads outside: $outside", ({ path, target, outside }) => {
  expect(leadsOutside(path, target)).toBe(outside);
});

const limits = { maxFileMb: 20, maxFiles: 3, allowProtected: false };
const judged = (content: Partial<RangeContent>, given = limits) => {
  const whole = { ...ORDINARY, ...content };
  return {
    refused: refusedContent(whole, given)?.kind ?? null,
    flags: flaggedContent(whole, given).map(({ kind }) => kind),
  };
};

test.each<{ name: string; content: Partial<RangeContent>; refused?: string; flags?: string[] }>([
  { name: "ordinary content is nothing to look at", content: { added: ["a"], files: 3 } },
  {
    name: "a name that differs by letter case only is refused",
    content: { colliding: [{ path: "A", other: "a" }] },
    refused: "file_name",
  },
  {
    name: "a link that cannot be read is refused",
    content: { links: [{ path: "a", target: null }] },
    refused: "link_outside",
  },
  { name: "a link inside is not", content: { links: [{ path: "a", target: "b" }] } },
  {
    name: "a driver is refused",
    content: { attributes: [{ path: ".gitattributes", drivers: true }] },
    refused: "attribute_driver",
    flags: ["attributes"],
  },
  {
    name: "other attributes are shown",
    content: { attributes: [{ path: ".gitattributes", drivers: false }] },
    flags: ["attributes"],
  },
  { name: "a file up to the limit lands", content: { large: [{ path: "a", bytes: 20_000_000 }] } },
  {
    name: "one above it does not",
    content: { large: [{ path: "a", bytes: 20_000_001 }] },
    refused: "file_too_large",
  },
  { name: "what can be run is shown", content: { executable: ["a"] }, flags: ["executable"] },
  { name: "so is text in another order", content: { bidi: ["a"] }, flags: ["bidi-text"] },
  { name: "and a change of many files", content: { files: 4 }, flags: ["many-files"] },
])("$name", ({ content, refused = null, flags = [] }) => {
  expect(judged(content)).toEqual({ refused, flags });
});

test("a person's word lifts a driver, and nothing else", () => {
  const lifted = { ...limits, allowProtected: true };
  const attributes = [{ path: ".gitattributes", drivers: true }];
  expect(judged({ attributes }, lifted).refused).toBeNull();
  expect(judged({ attributes, added: ["aux"] }, lifted).refused).toBe("file_name");
  expect(judged({ links: [{ path: "a", target: "/x" }] }, lifted).refused).toBe("link_outside");
});
