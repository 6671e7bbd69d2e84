import { expect, test } from "vitest";
import {
  crossedBeads,
  doubtfulWords,
  pathsOutside,
  undeclaredPaths,
} from "../../../src/core/schedule/undeclared-paths.js";

test.each<{ name: string; writes: string[]; paths: string[]; there?: string[]; found: string[] }>([
  {
    name: "what lies below a declared folder is declared",
    writes: ["src/a"],
    paths: ["src/a/b/c"],
    found: [],
  },
  { name: "so is a declared file", writes: ["package.json"], paths: ["package.json"], found: [] },
  { name: "a folder's name is no prefix", writes: ["src/a"], paths: ["src/ab"], found: ["src/ab"] },
  { name: "a slash at the end does not matter", writes: ["src/a/"], paths: ["src/a/b", "x"], found: ["x"] },
  { name: "nor do stars", writes: ["src/a/**", "b/*"], paths: ["src/a/b", "b/c", "x"], found: ["x"] },
  { name: "the root has everything below it", writes: ["."], paths: ["a", "b/c"], found: [] },
  { name: "letter case tells paths apart", writes: ["src/A"], paths: ["src/a/b"], found: ["src/a/b"] },
  { name: "a name may stand for any path", writes: ["src/a", "domain:db"], paths: ["x"], found: [] },
  { name: "so may a pattern that is none of ours", writes: ["src/*.ts"], paths: ["x"], found: [] },
  {
    name: "a word is a folder when a changed path lies there",
    writes: ["docs"],
    paths: ["docs/a", "x"],
    found: ["x"],
  },
  { name: "or when the repository has it", writes: ["docs"], paths: ["x"], there: ["docs"], found: ["x"] },
  { name: "else it is a name", writes: ["docs", "src/a"], paths: ["x", "src/a/b"], found: [] },
  { name: "who writes nothing declares nothing", writes: [], paths: ["x"], found: ["x"] },
  { name: "what leaves the repository is a name", writes: ["../x"], paths: ["x"], found: [] },
])("$name", ({ writes, paths, there = [], found }) => {
  expect(undeclaredPaths(writes, paths, there)).toEqual(found);
});

test("only words that no changed path explains are to be looked up", () => {
  expect(doubtfulWords(["docs", "api", "src/a", "domain:x"], ["docs/a"])).toEqual(["api"]);
});

test("a path is said to belong to the beads in flight that read or write it", () => {
  const outside = pathsOutside(["domain:db"], ["src/a/b", "docs/c", "x"]);
  const inFlight = [
    { bead: "b-2", footprint: { reads: ["docs"], writes: ["src/a"] } },
    { bead: "b-3", footprint: { reads: [], writes: ["domain:unknown"] } },
  ];
  expect(crossedBeads(outside, inFlight)).toEqual([{ bead: "b-2", paths: ["src/a/b", "docs/c"] }]);
});

test("not where the bead declares the place itself", () => {
  const inFlight = [{ bead: "b-2", footprint: { reads: [], writes: ["src"] } }];
  expect(crossedBeads(pathsOutside(["src/a"], ["src/a/b"]), inFlight)).toEqual([]);
});
