import fc from "fast-check";
import { expect, test } from "vitest";
import { collision, conflicts } from "../../../src/core/schedule/conflict.js";
import { type Footprint, footprintOf } from "../../../src/core/schedule/footprint.js";
import { footprint } from "../../support/core/beads.js";

function touching(...labels: string[]): Footprint {
  return footprintOf(labels, {});
}

test.each<{ name: string; a: Footprint; b: Footprint; expected: ReturnType<typeof collision> }>([
  {
    name: "two writers of a token collide on it",
    a: touching("fp:x"),
    b: touching("fp:x"),
    expected: { tokens: ["x"], mode: "write-write" },
  },
  {
    name: "a writer collides with a reader",
    a: touching("fp:x"),
    b: touching("fp:read:x"),
    expected: { tokens: ["x"], mode: "write-read" },
  },
  {
    name: "a reader collides with a writer",
    a: touching("fp:read:x"),
    b: touching("fp:x"),
    expected: { tokens: ["x"], mode: "write-read" },
  },
  {
    name: "two readers of a token do not collide",
    a: touching("fp:read:x"),
    b: touching("fp:read:x"),
    expected: null,
  },
  {
    name: "writers of different tokens do not collide",
    a: touching("fp:x"),
    b: touching("fp:y"),
    expected: null,
  },
  {
    name: "a token does not stand for those that begin with it",
    a: touching("fp:src"),
    b: touching("fp:src/api"),
    expected: null,
  },
  {
    name: "tokens that differ in case are different",
    a: touching("fp:x"),
    b: touching("fp:X"),
    expected: null,
  },
  {
    name: "two beads without labels collide on the unknown",
    a: touching(),
    b: touching(),
    expected: { tokens: ["domain:unknown"], mode: "write-write" },
  },
  {
    name: "a bead without labels does not collide with one that has them",
    a: touching(),
    b: touching("fp:x"),
    expected: null,
  },
  {
    name: "tokens of both sorts make a mixed collision, sorted",
    a: touching("fp:z", "fp:a"),
    b: touching("fp:z", "fp:read:a"),
    expected: { tokens: ["a", "z"], mode: "mixed" },
  },
  {
    name: "a token that both only read is no part of a collision",
    a: touching("fp:x", "fp:read:r"),
    b: touching("fp:x", "fp:read:r"),
    expected: { tokens: ["x"], mode: "write-write" },
  },
])("$name", ({ a, b, expected }) => {
  expect(collision(a, b)).toEqual(expected);
  expect(conflicts(a, b)).toBe(expected !== null);
});

test("a conflict and its tokens are the same from both sides", () => {
  fc.assert(
    fc.property(footprint, footprint, (a, b) => {
      expect(conflicts(a, b)).toBe(conflicts(b, a));
      expect(collision(a, b)).toEqual(collision(b, a));
    }),
  );
});

test("footprints conflict exactly when they collide on some token", () => {
  fc.assert(
    fc.property(footprint, footprint, (a, b) => {
      expect(conflicts(a, b)).toBe((collision(a, b)?.tokens.length ?? 0) > 0);
    }),
  );
});

test("footprints of many tokens conflict as those of few do", () => {
  const many = (name: string, ...more: readonly string[]) =>
    touching(...Array.from({ length: 40 }, (_, n) => `fp:${name}${n}`), ...more);
  const a = many("a", "fp:shared");
  for (const b of [many("b", "fp:shared"), many("b", "fp:read:shared")]) {
    expect(conflicts(a, b)).toBe(true);
    expect(conflicts(b, a)).toBe(true);
    expect(collision(a, b)?.tokens).toEqual(["shared"]);
  }
  expect(conflicts(a, many("b"))).toBe(false);
  expect(conflicts(a, touching("fp:shared"))).toBe(true);
  expect(conflicts(touching("fp:shared"), a)).toBe(true);
});
