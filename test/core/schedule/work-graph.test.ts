import { expect, test } from "vitest";
import type { Bead } from "../../../src/core/model/bead.js";
import { isClosed, parseBeadId } from "../../../src/core/model/bead.js";
import {
  ancestorsOf,
  containersOf,
  descendantsOf,
  frontierOf,
} from "../../../src/core/schedule/work-graph.js";
import { bead, ids } from "../../support/core/beads.js";

test.each([
  { name: "an open bead without blockers is ready", given: {}, expected: ["b-1"] },
  { name: "a bead in progress is not ready", given: { status: "in_progress" }, expected: [] },
  { name: "a closed bead is not ready", given: { status: "closed" }, expected: [] },
  { name: "a bead deferred by the tracker is not ready", given: { status: "deferred" }, expected: [] },
  { name: "a closed blocker does not hold a bead back", given: { blockers: ["shut"] }, expected: ["b-1"] },
  { name: "a done blocker does not hold a bead back", given: { blockers: ["done"] }, expected: ["b-1"] },
  { name: "a deleted blocker does not hold a bead back", given: { blockers: ["gone"] }, expected: ["b-1"] },
  { name: "an unfinished blocker holds a bead back", given: { blockers: ["busy"] }, expected: [] },
  {
    name: "one unfinished blocker among closed ones is enough",
    given: { blockers: ["shut", "busy"] },
    expected: [],
  },
  { name: "a blocker nobody knows holds a bead back", given: { blockers: ["nobody"] }, expected: [] },
  { name: "a bead that blocks itself is not ready", given: { blockers: ["b-1"] }, expected: [] },
  { name: "an open parent does not hold a bead back", given: { parent: "busy" }, expected: ["b-1"] },
])("$name", ({ given, expected }) => {
  const others = [
    bead({ id: "shut", status: "closed" }),
    bead({ id: "done", status: "done" }),
    bead({ id: "gone", status: "tombstone" }),
    bead({ id: "busy", status: "in_progress" }),
  ];
  expect(ids(frontierOf([...others, bead(given)]))).toEqual(expected);
});

test("the frontier keeps the tracker's order", () => {
  expect(ids(frontierOf([bead({ id: "z", priority: 3 }), bead({ id: "a", priority: 0 })]))).toEqual([
    "z",
    "a",
  ]);
});

test.each([
  { status: "closed", expected: true },
  { status: "done", expected: true },
  { status: "tombstone", expected: true },
  { status: "open", expected: false },
  { status: "in_progress", expected: false },
  { status: "blocked", expected: false },
  { status: "Closed", expected: false },
])("status $status counts as closed: $expected", ({ status, expected }) =>
  expect(isClosed({ status })).toBe(expected),
);

test.each([
  { name: "a bead with an open child is a container", child: { status: "open" }, expected: ["p"] },
  {
    name: "a bead with a child in progress is a container",
    child: { status: "in_progress" },
    expected: ["p"],
  },
  { name: "a bead whose children are all closed is none", child: { status: "closed" }, expected: [] },
])("$name", ({ child, expected }) => {
  expect([...containersOf([bead({ id: "p" }), bead({ id: "c", parent: "p", ...child })])]).toEqual(expected);
});

const family = [
  bead({ id: "leaf", parent: "child" }),
  bead({ id: "root" }),
  bead({ id: "child", parent: "root" }),
  bead({ id: "stranger" }),
];

test.each([
  {
    name: "descendants are found however deep, in the given order",
    root: "root",
    expected: ["leaf", "child"],
  },
  { name: "a bead without children has no descendants", root: "leaf", expected: [] },
  { name: "an unknown bead has no descendants", root: "nobody", expected: [] },
])("$name", ({ root, expected }) => expect(ids(descendantsOf(root, family))).toEqual(expected));

function ancestors(of: Bead, among: readonly Bead[]): string[] {
  return ids(ancestorsOf(of, new Map(among.map((item) => [item.id, item]))));
}

test("ancestors are listed from the nearest", () => {
  expect(ancestors(bead({ id: "leaf", parent: "child" }), family)).toEqual(["child", "root"]);
});

test("ancestors end where a parent is unknown", () => {
  expect(ancestors(bead({ id: "x", parent: "nobody" }), family)).toEqual([]);
});

test("parents in a circle are each listed once", () => {
  const a = bead({ id: "a", parent: "b" });
  const b = bead({ id: "b", parent: "a" });
  expect(ancestors(a, [a, b])).toEqual(["b"]);
  expect(ids(descendantsOf("a", [a, b]))).toEqual(["b"]);
});

test.each([{ id: "b" }, { id: "gh-12" }, { id: "A.b_c-3" }, { id: "1" }, { id: "a".repeat(128) }])(
  "$id names a bead",
  ({ id }) => expect(parseBeadId(id)).toBe(id),
);

test.each([
  { name: "an empty id", id: "" },
  { name: "an id with a slash", id: "a/b" },
  { name: "an id with a space", id: "a b" },
  { name: "an id with a line break", id: "a\n" },
  { name: "an id that starts with a hyphen", id: "-a" },
  { name: "an id that starts with a dot", id: ".a" },
  { name: "an id with two dots", id: "a..b" },
  { name: "an id that ends with a dot", id: "a." },
  { name: "an id that ends like a lock file", id: "a.LOCK" },
  { name: "an id of 129 characters", id: "a".repeat(129) },
  { name: "an id with letters beyond ASCII", id: "bé" },
])("$name is refused", ({ id }) => expect(parseBeadId(id)).toBeNull());
