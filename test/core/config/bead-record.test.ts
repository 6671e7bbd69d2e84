import { describe, expect, test } from "vitest";
import { readBead } from "../../../src/core/config/bead-record.js";
import type { Bead } from "../../../src/core/model/bead.js";

const least = { id: "b-1", title: "Add a health check" };

function read(overrides: object): Partial<Bead> {
  const reading = readBead({ ...least, ...overrides });
  if (reading.kind !== "bead") throw new Error(JSON.stringify(reading));
  return reading.bead;
}

test("id and title are enough", () => {
  expect(readBead(least)).toEqual({
    kind: "bead",
    bead: {
      id: "b-1",
      title: "Add a health check",
      description: "",
      acceptance: "",
      status: "open",
      assignee: "",
      priority: 2,
      type: "task",
      labels: [],
      parent: null,
      blockers: [],
    },
  });
});

test("every field has its place, and fields of no use are passed over", () => {
  const record = {
    ...least,
    description: "why",
    acceptance_criteria: "- it answers",
    notes: "not read",
    status: "in_progress",
    priority: 1,
    issue_type: "bug",
    labels: ["area:api"],
    parent: "e-1",
    dependencies: [{ id: "b-0", dependency_type: "blocks" }],
    dependency_count: 1,
    created_at: "2026-01-01T00:00:00Z",
    _type: "issue",
  };
  expect(readBead(record)).toEqual({
    kind: "bead",
    bead: {
      ...least,
      description: "why",
      acceptance: "- it answers",
      assignee: "",
      status: "in_progress",
      priority: 1,
      type: "bug",
      labels: ["area:api"],
      parent: "e-1",
      blockers: ["b-0"],
    },
  });
});

test.each<{ name: string; given: object; expected: Partial<Bead> }>([
  { name: "a null description is empty", given: { description: null }, expected: { description: "" } },
  { name: "null criteria are empty", given: { acceptance_criteria: null }, expected: { acceptance: "" } },
  { name: "null labels are none", given: { labels: null }, expected: { labels: [] } },
  { name: "null dependencies are none", given: { dependencies: null }, expected: { blockers: [] } },
  { name: "a null parent is none", given: { parent: null }, expected: { parent: null } },
  { name: "an empty parent is none", given: { parent: "" }, expected: { parent: null } },
  { name: "a priority may be a number", given: { priority: 0 }, expected: { priority: 0 } },
  { name: "a priority may be written P3", given: { priority: "P3" }, expected: { priority: 3 } },
  { name: "a priority may be written p1", given: { priority: "p1" }, expected: { priority: 1 } },
  { name: "a null priority is 0", given: { priority: null }, expected: { priority: 0 } },
])("$name", ({ given, expected }) => expect(read(given)).toMatchObject(expected));

describe("dependencies", () => {
  test.each<{ name: string; edges: object[]; expected: object }>([
    {
      name: "an edge as the tracker stores it blocks",
      edges: [{ issue_id: "b-1", depends_on_id: "b-0", type: "blocks" }],
      expected: { blockers: ["b-0"] },
    },
    {
      name: "an edge as the bead at its other end blocks",
      edges: [{ id: "b-0", title: "Other", status: "open", dependency_type: "blocks" }],
      expected: { blockers: ["b-0"] },
    },
    {
      name: "a stored edge without a type blocks",
      edges: [{ depends_on_id: "b-0" }],
      expected: { blockers: ["b-0"] },
    },
    { name: "a bead edge without a type blocks", edges: [{ id: "b-0" }], expected: { blockers: ["b-0"] } },
    {
      name: "the two shapes may stand side by side",
      edges: [
        { id: "b-0", dependency_type: "blocks" },
        { depends_on_id: "b-2", type: "blocks" },
      ],
      expected: { blockers: ["b-0", "b-2"] },
    },
    {
      name: "a blocker named twice counts once",
      edges: [{ id: "b-0" }, { depends_on_id: "b-0" }],
      expected: { blockers: ["b-0"] },
    },
    {
      name: "a related bead does not block",
      edges: [{ depends_on_id: "b-0", type: "related" }],
      expected: { blockers: [], parent: null },
    },
    {
      name: "a bead discovered on the way does not block",
      edges: [{ id: "b-0", dependency_type: "discovered-from" }],
      expected: { blockers: [], parent: null },
    },
    {
      name: "a stored parent-child edge names the parent and does not block",
      edges: [{ depends_on_id: "e-1", type: "parent-child" }],
      expected: { blockers: [], parent: "e-1" },
    },
    {
      name: "a parent-child edge as a bead names the parent",
      edges: [{ id: "e-1", dependency_type: "parent-child" }],
      expected: { blockers: [], parent: "e-1" },
    },
  ])("$name", ({ edges, expected }) => expect(read({ dependencies: edges })).toMatchObject(expected));

  test("the parent field beats a parent-child edge", () => {
    const edges = [{ id: "e-2", dependency_type: "parent-child" }];
    expect(read({ parent: "e-1", dependencies: edges }).parent).toBe("e-1");
  });
});

test.each([{ record: { _type: "memory", key: "x" } }, { record: { _type: "config" } }])(
  "$record describes something else and is no mistake",
  ({ record }) => expect(readBead(record)).toEqual({ kind: "other" }),
);

const anId = "letters, digits, dots, hyphens and underscores, 128 at most, starting with a letter or digit";
const aText = "a text, not an empty one";

test.each<{ name: string; record: unknown; reason: string }>([
  { name: "a number", record: 5, reason: "found 5, needed an object {…}" },
  { name: "null", record: null, reason: "found null, needed an object {…}" },
  { name: "a list", record: [], reason: "found [], needed an object {…}" },
  { name: "a missing id", record: { title: "x" }, reason: `id: found nothing, needed ${anId}` },
  {
    name: "an id that cannot name a branch",
    record: { ...least, id: "a b" },
    reason: `id: found "a b", needed ${anId}`,
  },
  {
    name: "an id that climbs out of its folder",
    record: { ...least, id: "../x" },
    reason: `id: found "../x", needed ${anId}`,
  },
  { name: "a missing title", record: { id: "b-1" }, reason: `title: found nothing, needed ${aText}` },
  { name: "an empty title", record: { ...least, title: "" }, reason: `title: found "", needed ${aText}` },
  {
    name: "a description that is no text",
    record: { ...least, description: 5 },
    reason: "description: found 5, needed a text",
  },
  { name: "an empty status", record: { ...least, status: "" }, reason: `status: found "", needed ${aText}` },
  {
    name: "a type that is no text",
    record: { ...least, issue_type: 3 },
    reason: `issue_type: found 3, needed ${aText}`,
  },
  {
    name: "a priority between two",
    record: { ...least, priority: 1.5 },
    reason: "priority: found 1.5, needed a whole number or P0, P1, …",
  },
  {
    name: "a priority in words",
    record: { ...least, priority: "high" },
    reason: 'priority: found "high", needed a whole number or P0, P1, …',
  },
  {
    name: "a priority beyond counting",
    record: { ...least, priority: `P${"9".repeat(400)}` },
    reason: `priority: found "P${"9".repeat(77)}…, needed a whole number or P0, P1, …`,
  },
  {
    name: "labels that are no list",
    record: { ...least, labels: "area:api" },
    reason: 'labels: found "area:api", needed a list of labels',
  },
  {
    name: "a label that is no text",
    record: { ...least, labels: ["a", 1] },
    reason: "labels[1]: found 1, needed a label",
  },
  {
    name: "a parent that cannot name a bead",
    record: { ...least, parent: "a b" },
    reason: `parent: found "a b", needed ${anId}`,
  },
  {
    name: "an edge of neither shape",
    record: { ...least, dependencies: [{ to: "b-0" }] },
    reason: 'dependencies[0]: found {"to":"b-0"}, needed {depends_on_id, type} or {id, dependency_type}',
  },
  {
    name: "dependencies that are no list",
    record: { ...least, dependencies: "b-0" },
    reason: 'dependencies: found "b-0", needed a list of edges',
  },
  {
    name: "an edge of another bead",
    record: { ...least, dependencies: [{ issue_id: "b-9", depends_on_id: "b-0", type: "blocks" }] },
    reason: "dependencies: an edge of b-9 is listed under b-1",
  },
])("$name is wrong, and the reason says what was found and what is needed", ({ record, reason }) => {
  expect(readBead(record)).toEqual({ kind: "wrong", reason });
});

test("of two hundred thousand mistakes in a record the first few are named", () => {
  const reading = readBead({ ...least, labels: new Array(200_000).fill(7) });
  expect(reading).toEqual({
    kind: "wrong",
    reason: `${[0, 1, 2, 3, 4].map((n) => `labels[${n}]: found 7, needed a label`).join("; ")}; and 199995 more problems`,
  });
});

test("white space around a label is not part of it", () => {
  expect(read({ labels: ["no-dispatch ", "\tfp:x", "  "] }).labels).toEqual(["no-dispatch", "fp:x"]);
});

test("all mistakes of a record are named at once", () => {
  expect(readBead({ id: "a b", title: "", labels: 3 })).toMatchObject({
    reason: expect.stringMatching(/^id: .*; title: .*; labels: /),
  });
});

test("a record whose _type is null is a bead", () => {
  expect(readBead({ id: "a", title: "t", _type: null })).toMatchObject({ kind: "bead" });
});
