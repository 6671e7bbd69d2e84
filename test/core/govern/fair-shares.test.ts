import fc from "fast-check";
import { expect, test } from "vitest";
import { fairShares, type SharingProject } from "../../../src/core/govern/fair-shares.js";

const wants = (...ids: string[]): SharingProject[] => ids.map((project) => ({ project, demand: true }));
const idle = (...ids: string[]): SharingProject[] => ids.map((project) => ({ project, demand: false }));

test.each<{
  name: string;
  cap: number;
  projects: SharingProject[];
  minute?: number;
  shares: Record<string, number>;
}>([
  { name: "nobody has nothing", cap: 8, projects: [], shares: {} },
  { name: "one project has it all", cap: 8, projects: wants("a"), shares: { a: 8 } },
  { name: "two have half each", cap: 8, projects: wants("a", "b"), shares: { a: 4, b: 4 } },
  { name: "without work there is no share", cap: 8, projects: idle("a"), shares: { a: 0 } },
  {
    name: "a project without work leaves its share to the others",
    cap: 8,
    projects: [...wants("a"), ...idle("b")],
    shares: { a: 8, b: 0 },
  },
  {
    name: "what is over goes to the first",
    cap: 8,
    projects: wants("c", "a", "b"),
    shares: { a: 3, b: 3, c: 2 },
  },
  {
    name: "and to the next a minute later",
    cap: 8,
    projects: wants("c", "a", "b"),
    minute: 1,
    shares: { a: 2, b: 3, c: 3 },
  },
  {
    name: "and comes round to the first",
    cap: 8,
    projects: wants("c", "a", "b"),
    minute: 3,
    shares: { a: 3, b: 3, c: 2 },
  },
  {
    name: "one place goes to one of many",
    cap: 1,
    projects: wants("a", "b", "c"),
    shares: { a: 1, b: 0, c: 0 },
  },
  {
    name: "and round them",
    cap: 1,
    projects: wants("a", "b", "c"),
    minute: 2,
    shares: { a: 0, b: 0, c: 1 },
  },
  { name: "no place is none for anybody", cap: 0, projects: wants("a", "b"), shares: { a: 0, b: 0 } },
  { name: "a negative cap is no place", cap: -3, projects: wants("a"), shares: { a: 0 } },
  {
    name: "who is told of twice counts once",
    cap: 4,
    projects: [...wants("a", "b"), ...idle("b")],
    shares: { a: 2, b: 2 },
  },
  {
    name: "part of a minute is that minute",
    cap: 1,
    projects: wants("a", "b"),
    minute: 1.9,
    shares: { a: 0, b: 1 },
  },
  {
    name: "a clock before 1970 counts on",
    cap: 1,
    projects: wants("a", "b"),
    minute: -1,
    shares: { a: 0, b: 1 },
  },
  {
    name: "names of built-in properties are names",
    cap: 2,
    projects: wants("__proto__", "constructor"),
    shares: Object.fromEntries([
      ["__proto__", 1],
      ["constructor", 1],
    ]),
  },
])("$name", ({ cap, projects, minute = 0, shares }) => {
  expect(fairShares(cap, projects, minute)).toEqual(new Map(Object.entries(shares)));
});

const project = fc.record({ project: fc.constantFrom(..."abcdefg"), demand: fc.boolean() });
const projects = fc.uniqueArray(project, { selector: (each) => each.project });
const cap = fc.integer({ min: 0, max: 20 });
const minute = fc.integer({ min: -5, max: 30_000_000 });

const sumOf = (shares: ReadonlyMap<string, number>) =>
  [...shares.values()].reduce((sum, each) => sum + each, 0);

test("the shares come to the cap whenever somebody has work, and differ by one at most", () => {
  fc.assert(
    fc.property(cap, projects, minute, (places, sharing, at) => {
      const shares = fairShares(places, sharing, at);
      const wanting = sharing.filter(({ demand }) => demand);
      expect(sumOf(shares)).toBe(wanting.length === 0 ? 0 : places);
      expect([...shares.keys()]).toEqual(sharing.map((each) => each.project));
      const floor = Math.floor(places / wanting.length);
      for (const each of wanting) expect([floor, floor + 1]).toContain(shares.get(each.project));
      for (const each of sharing) if (!each.demand) expect(shares.get(each.project)).toBe(0);
    }),
  );
});

test("over as many minutes as there are projects, all have had the same", () => {
  fc.assert(
    fc.property(cap, projects, minute, (places, sharing, from) => {
      const wanting = sharing.filter(({ demand }) => demand);
      const had = wanting.map(({ project: id }) =>
        wanting.reduce((sum, _, n) => sum + (fairShares(places, sharing, from + n).get(id) ?? 0), 0),
      );
      expect(new Set(had).size).toBeLessThanOrEqual(1);
    }),
  );
});

test("the order of the projects changes nothing", () => {
  fc.assert(
    fc.property(cap, projects, minute, (places, sharing, at) => {
      const turned = fairShares(places, sharing.toReversed(), at);
      expect([...turned].sort()).toEqual([...fairShares(places, sharing, at)].sort());
    }),
  );
});
