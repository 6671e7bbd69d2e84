import { expect, test } from "vitest";
import { chooseEvicted, type KeptClone } from "../../../src/core/recovery/choose-evicted.js";

const clone = (name: string, usedAt: number, given: Partial<KeptClone> = {}): KeptClone => ({
  ...{ name, usedAt, bytes: 10, inUse: false },
  ...given,
});

test.each<{ name: string; clones: KeptClone[]; quota: number; gone: string[] }>([
  { name: "what fits stays", clones: [clone("a", 1), clone("b", 2)], quota: 20, gone: [] },
  {
    name: "the least recently used goes first",
    clones: [clone("b", 2), clone("a", 1)],
    quota: 19,
    gone: ["a"],
  },
  {
    name: "as many go as have to",
    clones: [clone("a", 1), clone("b", 2), clone("c", 3)],
    quota: 10,
    gone: ["a", "b"],
  },
  {
    name: "one in use stays",
    clones: [clone("a", 1, { inUse: true }), clone("b", 2)],
    quota: 10,
    gone: ["b"],
  },
  {
    name: "also where it is too large alone",
    clones: [clone("a", 1, { inUse: true, bytes: 99 })],
    quota: 1,
    gone: [],
  },
])("$name", ({ clones, quota, gone }) => {
  expect(chooseEvicted(clones, quota)).toEqual(gone);
});
