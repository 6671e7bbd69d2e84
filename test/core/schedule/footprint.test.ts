import fc from "fast-check";
import { expect, test } from "vitest";
import { conflicts } from "../../../src/core/schedule/conflict.js";
import { areaTokens, footprintOf } from "../../../src/core/schedule/footprint.js";
import { AREAS, footprintLabels } from "../../support/core/beads.js";

const unknown = { reads: [], writes: ["domain:unknown"] };
const areas = { api: ["src/api"], docs: ["docs", "README"], "area:ops": ["deploy"], empty: [] };

test.each<{ name: string; labels: string[]; expected: { reads: string[]; writes: string[] } }>([
  { name: "fp: writes its token", labels: ["fp:db"], expected: { reads: [], writes: ["db"] } },
  { name: "fp:read: reads its token", labels: ["fp:read:db"], expected: { reads: ["db"], writes: [] } },
  { name: "a token may hold colons", labels: ["fp:db:users"], expected: { reads: [], writes: ["db:users"] } },
  {
    name: "a token may begin like the read prefix",
    labels: ["fp:reader"],
    expected: { reads: [], writes: ["reader"] },
  },
  {
    name: "an area writes its tokens",
    labels: ["area:docs"],
    expected: { reads: [], writes: ["README", "docs"] },
  },
  {
    name: "the map may spell an area with its prefix",
    labels: ["area:ops"],
    expected: { reads: [], writes: ["deploy"] },
  },
  {
    name: "areas add up",
    labels: ["area:docs", "area:api"],
    expected: { reads: [], writes: ["README", "docs", "src/api"] },
  },
  { name: "a write hides areas", labels: ["fp:db", "area:api"], expected: { reads: [], writes: ["db"] } },
  { name: "a read hides areas", labels: ["area:api", "fp:read:db"], expected: { reads: ["db"], writes: [] } },
  { name: "an empty fp: hides areas and gives no token", labels: ["fp:", "area:api"], expected: unknown },
  { name: "an empty fp:read: gives no token", labels: ["fp:read:"], expected: unknown },
  { name: "a blank token is none", labels: ["fp:  "], expected: unknown },
  {
    name: "blanks around a token do not count",
    labels: ["fp: db "],
    expected: { reads: [], writes: ["db"] },
  },
  {
    name: "a token both read and written is written",
    labels: ["fp:read:db", "fp:db"],
    expected: { reads: [], writes: ["db"] },
  },
  { name: "repeats count once", labels: ["fp:db", "fp:db"], expected: { reads: [], writes: ["db"] } },
  {
    name: "tokens are sorted",
    labels: ["fp:z", "fp:read:y", "fp:a", "fp:read:b"],
    expected: { reads: ["b", "y"], writes: ["a", "z"] },
  },
  {
    name: "letter case tells tokens apart",
    labels: ["fp:DB", "fp:db"],
    expected: { reads: [], writes: ["DB", "db"] },
  },
  { name: "no label is unknown", labels: [], expected: unknown },
  { name: "a label of another sort is unknown", labels: ["bug", "rt:2"], expected: unknown },
  { name: "an area the map does not have is unknown", labels: ["area:web"], expected: unknown },
  { name: "an area without tokens is unknown", labels: ["area:empty"], expected: unknown },
  {
    name: "an area named like a method of objects is unknown",
    labels: ["area:constructor"],
    expected: unknown,
  },
])("$name", ({ labels, expected }) => expect(footprintOf(labels, areas)).toEqual(expected));

test("both spellings of one area are joined", () => {
  expect(areaTokens("area:api", { api: ["a"], "area:api": ["b"] })).toEqual(["a", "b"]);
});

test.each([
  { name: "a label without the prefix names no area", label: "api" },
  { name: "an area that is not in the map has no tokens", label: "area:web" },
])("$name", ({ label }) => expect(areaTokens(label, areas)).toBeNull());

test("every footprint has a token, is sorted, and has no token twice", () => {
  fc.assert(
    fc.property(footprintLabels, (labels) => {
      const { reads, writes } = footprintOf(labels, AREAS);
      expect(reads.length + writes.length).toBeGreaterThan(0);
      expect(reads).toEqual([...reads].sort());
      expect(writes).toEqual([...writes].sort());
      expect(new Set([...reads, ...writes]).size).toBe(reads.length + writes.length);
    }),
  );
});

test.each([{ labels: [] }, { labels: ["fp:x"] }])(
  "a footprint of $labels shares no list with another",
  ({ labels }) => {
    const before = structuredClone(footprintOf(labels, {}));
    const { reads, writes } = footprintOf(labels, {});
    (reads as string[]).push("spoilt");
    (writes as string[]).push("spoilt");
    expect(footprintOf(labels, {})).toEqual(before);
  },
);

test("sixty thousand labels are sorted and freed of repeats like three", () => {
  const labels = Array.from({ length: 60_000 }, (_, n) => [`fp:t${n % 30_000}`, `fp:read:t${n}`]).flat();
  const { reads, writes } = footprintOf(labels, {});
  expect([writes.length, reads.length]).toEqual([30_000, 30_000]);
  expect(conflicts({ reads: [], writes }, { reads: writes, writes: [] })).toBe(true);
});
