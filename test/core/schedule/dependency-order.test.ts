import fc from "fast-check";
import { expect, test } from "vitest";
import { type Bead, isClosed } from "../../../src/core/model/bead.js";
import { DependencyOrder } from "../../../src/core/schedule/dependency-order.js";
import { Marks } from "../../../src/lib/marks.js";
import { type BeadOverrides, bead, ids, workGraphs } from "../../support/core/beads.js";
import { plainOrder } from "../../support/core/plain-schedule.js";

/** `a` waits for `b`, `b` waits for `c`, and `d` has to do with nobody. */
const chain = [
  bead({ id: "a", blockers: ["b"] }),
  bead({ id: "b", blockers: ["c"] }),
  bead({ id: "c" }),
  bead({ id: "d" }),
];

function orderOf(beads: readonly Bead[]): DependencyOrder {
  return new DependencyOrder(
    beads,
    beads.filter((item) => !isClosed(item)),
  );
}

/** What the bead at a position waits for. */
function before(order: DependencyOrder, position: number): number[] {
  const marks = new Marks(order.size);
  order.markBefore(position, marks);
  return [...marks.marked];
}

function circle(...waits: BeadOverrides[]): DependencyOrder {
  return orderOf(waits.map((overrides) => bead(overrides)));
}

test.each([
  { name: "a bead waits for its blockers' blockers", position: 0, expected: [1, 2] },
  { name: "a bead does not wait for its dependents", position: 1, expected: [2] },
  { name: "a bead without blockers waits for nobody", position: 2, expected: [] },
])("$name", ({ position, expected }) => expect(before(orderOf(chain), position).sort()).toEqual(expected));

test.each([
  { name: "the middle of a chain is ordered with both its ends", added: [1], expected: [0, 2] },
  { name: "the end of a chain is ordered with all that wait for it", added: [2], expected: [0, 1] },
  { name: "a free bead is ordered with nobody", added: [3], expected: [] },
  { name: "what is ordered with several beads adds up", added: [0, 2], expected: [0, 1, 2] },
])("$name", ({ added, expected }) => {
  const around = orderOf(chain).neighbourhood();
  for (const position of added) around.add(position);
  expect([0, 1, 2, 3].filter((position) => around.has(position))).toEqual(expected);
});

test("two dependents of one blocker are not ordered with each other", () => {
  const order = orderOf([
    bead({ id: "a" }),
    bead({ id: "b", blockers: ["a"] }),
    bead({ id: "c", blockers: ["a"] }),
  ]);
  const around = order.neighbourhood();
  around.add(1);
  expect(around.has(2)).toBe(false);
});

test("only a bead that neither waits nor is waited for is free", () => {
  expect([0, 1, 2, 3].map((position) => orderOf(chain).isFree(position))).toEqual([
    false,
    false,
    false,
    true,
  ]);
});

test.each([
  { name: "a chain has no cycle", order: orderOf(chain), expected: [] },
  {
    name: "two beads that wait for each other are a cycle",
    order: circle({ id: "a", blockers: ["b"] }, { id: "b", blockers: ["a"] }),
    expected: [[0, 1]],
  },
  {
    name: "a bead that waits for itself is a cycle",
    order: circle({ id: "a", blockers: ["a"] }),
    expected: [[0]],
  },
  {
    name: "a bead that waits for a cycle is not on it",
    order: circle({ id: "a", blockers: ["b"] }, { id: "b", blockers: ["c"] }, { id: "c", blockers: ["b"] }),
    expected: [[1, 2]],
  },
  {
    name: "a bead that a cycle waits for is not on it",
    order: circle({ id: "a", blockers: ["b"] }, { id: "b", blockers: ["a", "c"] }, { id: "c" }),
    expected: [[0, 1]],
  },
  {
    name: "cycles that share a bead are one",
    order: circle(
      { id: "a", blockers: ["b"] },
      { id: "b", blockers: ["a", "c"] },
      { id: "c", blockers: ["b"] },
    ),
    expected: [[0, 1, 2]],
  },
  {
    name: "cycles apart are listed apart",
    order: circle(
      { id: "a", blockers: ["c"] },
      { id: "b", blockers: ["d"] },
      { id: "c", blockers: ["a"] },
      { id: "d", blockers: ["b"] },
    ),
    expected: [
      [0, 2],
      [1, 3],
    ],
  },
])("$name", ({ order, expected }) => expect(order.cycles()).toEqual(expected));

test("a bead on a cycle waits for itself", () => {
  expect(before(circle({ id: "a", blockers: ["b"] }, { id: "b", blockers: ["a"] }), 0).sort()).toEqual([
    0, 1,
  ]);
});

test("a closed blocker orders nothing and is not missing", () => {
  const order = orderOf([bead({ id: "a", blockers: ["b"] }), bead({ id: "b", status: "closed" })]);
  expect([order.isFree(0), order.missing]).toEqual([true, []]);
});

test("a blocker nobody knows is missing", () => {
  expect(orderOf([bead({ id: "a" }), bead({ id: "b", blockers: ["gone"] })]).missing).toEqual([[1, "gone"]]);
});

test("a circle longer than the call stack is deep is found", () => {
  const length = 50_000;
  const beads = Array.from({ length }, (_, n) => bead({ id: `b-${n}`, blockers: [`b-${(n + 1) % length}`] }));
  expect(orderOf(beads).cycles()[0]).toHaveLength(length);
});

test("neighbours and cycles are those that walking from each bead finds", () => {
  fc.assert(
    fc.property(workGraphs, (beads) => {
      const open = beads.filter((item) => !isClosed(item));
      const order = orderOf(beads);
      const areOrdered = plainOrder(open);
      const circular = open.flatMap((item, position) => (areOrdered(item.id, item.id) ? [position] : []));
      expect(order.cycles().flat().sort()).toEqual(circular.sort());
      open.forEach((item, position) => {
        const around = order.neighbourhood();
        around.add(position);
        const neighbours = open.filter((_, other) => around.has(other));
        expect(ids(neighbours)).toEqual(ids(open.filter((other) => areOrdered(item.id, other.id))));
      });
    }),
  );
});
