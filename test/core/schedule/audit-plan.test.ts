import { describe, expect, test } from "vitest";
import type { Bead } from "../../../src/core/model/bead.js";
import { type AuditInput, auditPlan, LISTED_PAIRS } from "../../../src/core/schedule/audit-plan.js";
import { AREAS, type BeadOverrides, bead, ids } from "../../support/core/beads.js";

function audit(beads: readonly Bead[], rest: Partial<AuditInput> = {}) {
  return auditPlan({ beads, areaMap: AREAS, ...rest });
}

function writer(id: string, token: string, rest: BeadOverrides = {}): Bead {
  return bead({ id, labels: [`fp:${token}`], ...rest });
}

test("an empty backlog has nothing to report", () => {
  expect(audit([])).toEqual({
    totalOpen: 0,
    open: [],
    unlabeled: [],
    nonDispatchable: [],
    conflicts: { total: 0, listed: [], busiest: [] },
    parallelWidth: { current: 0, potential: 0 },
    stats: { ready: 0, dispatchable: 0, tokens: 0, refactorCore: 0, noDispatch: 0 },
    warnings: [],
    lookups: 0,
  });
});

test("closed beads count nowhere", () => {
  const closed = { status: "closed", labels: ["no-dispatch", "area:nowhere"] };
  expect(audit([bead({ id: "a", ...closed }), bead({ id: "b", ...closed })])).toMatchObject({
    totalOpen: 0,
    unlabeled: [],
    nonDispatchable: [],
    conflicts: { total: 0 },
    stats: { noDispatch: 0 },
    warnings: [],
  });
});

describe("unlabeled", () => {
  test.each([
    { name: "a bead without labels is unlabeled", given: {}, expected: ["b-1"] },
    {
      name: "a bead with an unknown area is unlabeled",
      given: { labels: ["area:nowhere"] },
      expected: ["b-1"],
    },
    { name: "a bead that waits for another is unlabeled too", given: { blockers: ["x"] }, expected: ["b-1"] },
    {
      name: "a bead with no-dispatch is unlabeled too",
      given: { labels: ["no-dispatch"] },
      expected: ["b-1"],
    },
    { name: "a bead with a token is labeled", given: { labels: ["fp:read:x"] }, expected: [] },
    { name: "an epic needs no footprint", given: { type: "epic" }, expected: [] },
    { name: "a gate bead needs no footprint", given: { labels: ["gt:merge"] }, expected: [] },
  ])("$name", ({ given, expected }) => expect(audit([bead(given)]).unlabeled).toEqual(expected));

  test("a container needs no footprint", () => {
    expect(audit([bead({ id: "p" }), writer("c", "x", { parent: "p" })]).unlabeled).toEqual([]);
  });
});

test("every open bead that cannot be dispatched is listed with the scheduler's reason", () => {
  const beads = [
    bead({ id: "e", type: "epic" }),
    bead({ id: "g", labels: ["gt:merge"] }),
    bead({ id: "n", labels: ["no-dispatch"] }),
    bead({ id: "r", labels: ["refactor-core"] }),
    bead({ id: "s", release: { kind: "withheld", why: { code: "no_release_label", label: "go" } } }),
    bead({ id: "t", release: { kind: "released", by: "maria", at: "", text: "" }, labels: ["fp:t"] }),
    bead({ id: "p" }),
    writer("c", "x", { parent: "p" }),
  ];
  expect(audit(beads).nonDispatchable).toEqual([
    { id: "e", refusal: { code: "issue_type", type: "epic" } },
    { id: "g", refusal: { code: "gate_label", label: "gt:merge" } },
    { id: "n", refusal: { code: "no_dispatch" } },
    { id: "r", refusal: { code: "refactor_core" } },
    { id: "s", refusal: { code: "not_released", why: { code: "no_release_label", label: "go" } } },
    { id: "p", refusal: { code: "container" } },
  ]);
});

test("a bead refused elsewhere is listed, takes no place and keeps its pairs", () => {
  const refusal = { code: "model_refused", problem: "no such model" } as const;
  const refused = new Map([["a", refusal]]);
  expect(audit([writer("a", "x"), writer("b", "x")], { refused })).toMatchObject({
    nonDispatchable: [{ id: "a", refusal }],
    conflicts: { total: 1 },
    parallelWidth: { current: 1, potential: 1 },
    stats: { dispatchable: 1 },
  });
});

test("the open beads looked at are named in the given order", () => {
  const beads = [writer("b", "x"), writer("c", "x", { status: "closed" }), writer("a", "y", { parent: "b" })];
  expect(ids(audit(beads).open)).toEqual(["b", "a"]);
  expect(ids(audit(beads, { epic: "b" }).open)).toEqual(["a"]);
});

describe("conflicting pairs", () => {
  const a = bead({ id: "a", labels: ["fp:x", "fp:y"] });

  test.each<{ name: string; other: BeadOverrides; expected: object[] }>([
    {
      name: "writers of one token are a pair",
      other: { labels: ["fp:x"] },
      expected: [{ a: "a", b: "b", tokens: ["x"], mode: "write-write" }],
    },
    {
      name: "a writer and a reader are a pair",
      other: { labels: ["fp:read:y"] },
      expected: [{ a: "a", b: "b", tokens: ["y"], mode: "write-read" }],
    },
    {
      name: "a pair names every token it meets on",
      other: { labels: ["fp:read:y", "fp:x"] },
      expected: [{ a: "a", b: "b", tokens: ["x", "y"], mode: "mixed" }],
    },
    { name: "beads that do not meet are no pair", other: { labels: ["fp:z"] }, expected: [] },
    {
      name: "beads of which one waits for the other are no pair",
      other: { labels: ["fp:x"], blockers: ["a"] },
      expected: [],
    },
    {
      name: "beads ordered through a third are no pair",
      other: { labels: ["fp:x"], blockers: ["between"] },
      expected: [],
    },
    {
      name: "beads that wait for the same closed bead are a pair",
      other: { labels: ["fp:x"], blockers: ["shut"] },
      expected: [{ a: "a", b: "b", tokens: ["x"], mode: "write-write" }],
    },
    { name: "an epic is in no pair", other: { labels: ["fp:x"], type: "epic" }, expected: [] },
    { name: "a gate bead is in no pair", other: { labels: ["fp:x", "gt:merge"] }, expected: [] },
    { name: "a closed bead is in no pair", other: { labels: ["fp:x"], status: "closed" }, expected: [] },
    {
      name: "a bead with no-dispatch is in a pair: the label may go",
      other: { labels: ["fp:x", "no-dispatch"] },
      expected: [{ a: "a", b: "b", tokens: ["x"], mode: "write-write" }],
    },
  ])("$name", ({ other, expected }) => {
    const rest = [
      bead({ id: "between", labels: ["fp:q"], blockers: ["a"] }),
      bead({ id: "shut", status: "closed" }),
    ];
    const { conflicts } = audit([bead({ id: "b", ...other }), a, ...rest]);
    expect(conflicts).toMatchObject({ total: expected.length, listed: expected });
  });

  test("two beads that wait for each other are no pair, and counted as none once", () => {
    const { conflicts } = audit([
      writer("a", "x", { blockers: ["b"] }),
      writer("b", "x", { blockers: ["a"] }),
    ]);
    expect(conflicts).toMatchObject({ total: 0, listed: [] });
  });

  test("pairs are listed by id whatever the order of the backlog", () => {
    const { conflicts } = audit([writer("c", "x"), writer("a", "x"), writer("b", "x")]);
    expect(conflicts?.listed.map((pair) => `${pair.a}${pair.b}`)).toEqual(["ab", "ac", "bc"]);
  });

  const crowd = Array.from({ length: 30 }, (_, n) => writer(`b-${n}`, "x"));

  test.each<{ name: string; rest: Partial<AuditInput>; listed: number }>([
    { name: "200 pairs are listed unless told otherwise", rest: {}, listed: LISTED_PAIRS },
    { name: "a limit lists fewer", rest: { pairLimit: 3 }, listed: 3 },
    { name: "a limit of 0 lists none", rest: { pairLimit: 0 }, listed: 0 },
    { name: "a limit beyond the total lists all", rest: { pairLimit: 1000 }, listed: 435 },
  ])("$name, with the true total", ({ rest, listed }) => {
    const { conflicts } = audit(crowd, rest);
    expect([conflicts?.total, conflicts?.listed.length]).toEqual([435, listed]);
  });

  test("a limit of null leaves the pairs out", () => {
    expect(audit(crowd, { pairLimit: null }).conflicts).toBeNull();
  });

  test("the busiest tokens come first, with their writers and readers, ties by name", () => {
    const beads = [
      ...["a", "b", "c"].map((id) => writer(id, "hot")),
      ...["d", "e"].map((id) => writer(id, "warm")),
      ...["f", "g"].map((id) => writer(id, "also-warm")),
      bead({ id: "h", labels: ["fp:read:hot"] }),
    ];
    expect(audit(beads).conflicts?.busiest).toEqual([
      { token: "hot", writers: 3, readers: 1 },
      { token: "also-warm", writers: 2, readers: 0 },
      { token: "warm", writers: 2, readers: 0 },
    ]);
  });

  test("a token that is only read or has one writer is not busy", () => {
    const beads = [...["a", "b"].map((id) => bead({ id, labels: ["fp:read:r"] })), writer("c", "lonely")];
    expect(audit(beads).conflicts?.busiest).toEqual([]);
  });

  test("no token is called busy when every pair is ordered", () => {
    const { conflicts } = audit([writer("a", "x"), writer("b", "x", { blockers: ["a"] })]);
    expect(conflicts).toEqual({ total: 0, listed: [], busiest: [] });
  });

  test("thirty thousand beads in one chain that never meet, and forty thousand that meet over one hub, are counted", () => {
    const chain = Array.from({ length: 30_000 }, (_, n) =>
      writer(`b-${n}`, `t${n}`, { blockers: n === 0 ? [] : [`b-${n - 1}`] }),
    );
    expect(audit(chain, { pairLimit: 1000 }).conflicts).toEqual({ total: 0, listed: [], busiest: [] });
    const around = Array.from({ length: 40_000 }, (_, n) =>
      bead({ id: `b-${n}`, labels: ["fp:hub", `fp:t${n}`] }),
    );
    expect(audit(around).conflicts?.total).toBe((40_000 * 39_999) / 2);
  });

  test("pairs that share thousands of tokens fill the list before its limit, with the true total", () => {
    const labels = Array.from({ length: 20_000 }, (_, n) => `fp:t${n}`);
    const beads = Array.from({ length: 20 }, (_, n) => bead({ id: `b-${n}`, labels }));
    const { conflicts } = audit(beads);
    expect(conflicts?.total).toBe(190);
    expect(conflicts?.listed.length).toBeLessThan(60);
  });

  test("at most ten tokens are called busy", () => {
    const beads = Array.from({ length: 24 }, (_, n) => writer(`b-${n}`, `t${Math.floor(n / 2)}`));
    expect(audit(beads).conflicts?.busiest).toHaveLength(10);
  });
});

describe("parallel width", () => {
  test.each<{ name: string; beads: Bead[]; current: number; potential: number }>([
    {
      name: "beads apart fit side by side",
      beads: [writer("a", "x"), writer("b", "y")],
      current: 2,
      potential: 2,
    },
    { name: "beads that meet do not", beads: [writer("a", "x"), writer("b", "x")], current: 1, potential: 1 },
    {
      name: "unlabeled beads could each have a token of their own",
      beads: [bead({ id: "a" }), bead({ id: "b" }), bead({ id: "c" })],
      current: 1,
      potential: 3,
    },
    {
      name: "a bead and the one it waits for never run together",
      beads: [writer("a", "x"), writer("b", "y", { blockers: ["a"] })],
      current: 1,
      potential: 1,
    },
    {
      name: "an order through a third bead counts",
      beads: [
        writer("a", "x", { priority: 0 }),
        writer("b", "y", { blockers: ["a"], labels: ["fp:y", "no-dispatch"] }),
        writer("c", "z", { blockers: ["b"] }),
      ],
      current: 1,
      potential: 1,
    },
    {
      name: "beads that cannot be dispatched take no place",
      beads: [writer("a", "x", { labels: ["fp:x", "no-dispatch"], priority: 0 }), writer("b", "x")],
      current: 1,
      potential: 1,
    },
    {
      name: "beads on a circle, behind one, or without their blocker never run",
      beads: [
        writer("a", "x", { blockers: ["b"] }),
        writer("b", "y", { blockers: ["a"] }),
        writer("c", "z", { blockers: ["a"] }),
        writer("d", "v", { blockers: ["nobody"] }),
        writer("e", "w"),
      ],
      current: 1,
      potential: 1,
    },
    {
      name: "packing is greedy: one urgent hub hides the width behind it",
      beads: [
        bead({ id: "hub", labels: ["fp:x", "fp:y"], priority: 0 }),
        writer("a", "x", { priority: 1 }),
        writer("b", "y", { priority: 1 }),
      ],
      current: 1,
      potential: 1,
    },
  ])("$name", ({ beads, current, potential }) => {
    expect(audit(beads).parallelWidth).toEqual({ current, potential });
  });
});

test("the figures count what is ready, dispatchable, touched and set aside", () => {
  const beads = [
    writer("a", "x"),
    bead({ id: "b", labels: ["fp:x", "fp:read:y"], blockers: ["a"] }),
    bead({ id: "c", labels: ["refactor-core", "fp:z"] }),
    bead({ id: "d", labels: ["no-dispatch", "fp:z"] }),
    bead({ id: "e", labels: ["no-dispatch", "fp:w"], type: "epic" }),
    bead({ id: "f", labels: ["fp:v"], status: "closed" }),
  ];
  const { stats, totalOpen } = audit(beads);
  expect({ totalOpen, ...stats }).toEqual({
    totalOpen: 5,
    ready: 4,
    dispatchable: 2,
    tokens: 3,
    refactorCore: 1,
    noDispatch: 2,
  });
});

describe("warnings", () => {
  test.each<{ name: string; labels: string[]; expected: object[] }>([
    {
      name: "an area beside an fp: label is hidden",
      labels: ["fp:x", "area:api"],
      expected: [{ kind: "hidden-area", id: "b-1", labels: ["area:api"] }],
    },
    {
      name: "an area beside an fp:read: label is hidden",
      labels: ["area:api", "fp:read:x"],
      expected: [{ kind: "hidden-area", id: "b-1", labels: ["area:api"] }],
    },
    {
      name: "an area that the map does not have is unknown",
      labels: ["area:api", "area:web"],
      expected: [{ kind: "unknown-area", id: "b-1", labels: ["area:web"] }],
    },
    {
      name: "a hidden area may be unknown as well",
      labels: ["fp:x", "area:web"],
      expected: [
        { kind: "hidden-area", id: "b-1", labels: ["area:web"] },
        { kind: "unknown-area", id: "b-1", labels: ["area:web"] },
      ],
    },
    {
      name: "a malformed resource is named",
      labels: ["fp:x", "res:GPU"],
      expected: [{ kind: "malformed-label", id: "b-1", labels: ["res:GPU"] }],
    },
    {
      name: "an fp: label without a token is named",
      labels: ["fp:x", "fp:read: "],
      expected: [{ kind: "malformed-label", id: "b-1", labels: ["fp:read: "] }],
    },
    {
      name: "an fp: label without a token that hides areas says so",
      labels: ["fp:", "area:docs", "res:NO"],
      expected: [
        { kind: "hidden-area", id: "b-1", labels: ["area:docs"] },
        { kind: "malformed-label", id: "b-1", labels: ["fp:"], hides: ["area:docs"] },
        { kind: "malformed-label", id: "b-1", labels: ["res:NO"] },
      ],
    },
    ...["rt:9", "timeout:10m", "timeout:0", "model:", "model:implement:claude:opus", "rt:"].map((label) => ({
      name: `${label} is malformed`,
      labels: [label],
      expected: [{ kind: "malformed-label", id: "b-1", labels: [label] }],
    })),
    ...[
      { label: "no_dispatch", meant: "no-dispatch" },
      { label: "No Dispatch", meant: "no-dispatch" },
      { label: "refactorCore", meant: "refactor-core" },
      { label: "Fp:src", meant: "fp:src" },
      { label: "area : docs", meant: "area:docs" },
      { label: "GT:merge", meant: "gt:merge" },
    ].map(({ label, meant }) => ({
      name: `${label} looks like ${meant}`,
      labels: [label],
      expected: [{ kind: "look-alike-label", id: "b-1", label, meant }],
    })),
    {
      name: "labels in order bring no warning",
      labels: [
        "area:api",
        "area:ops",
        "res:gpu",
        "rt:3",
        "timeout:60",
        "model:implement:opus",
        "model:haiku",
      ],
      expected: [],
    },
    {
      name: "other people's labels bring no warning",
      labels: ["no-dispatch", "kind:bug", "dispatch", "P1", "team: core", ":", "good first issue"],
      expected: [],
    },
  ])("$name", ({ labels, expected }) => expect(audit([bead({ labels })]).warnings).toEqual(expected));

  test.each([
    { status: "Todo", expected: [{ kind: "unknown-status", id: "a", status: "Todo" }] },
    { status: "in_progress", expected: [] },
    { status: "blocked", expected: [] },
    { status: "done", expected: [] },
  ])("status $status", ({ status, expected }) => {
    expect(audit([writer("a", "x", { status })]).warnings).toEqual(expected);
  });

  test.each([
    { name: "a bead that is its own parent", parents: { a: "a" }, expected: [["a"]] },
    { name: "parents in a circle", parents: { a: "b", b: "c", c: "a", d: "a" }, expected: [["a", "b", "c"]] },
    { name: "a long line of parents", parents: { a: "b", b: "c", c: "d" }, expected: [] },
  ])("$name: $expected", ({ parents, expected }) => {
    const beads = ["a", "b", "c", "d"].map((id) =>
      writer(id, id, { parent: (parents as Record<string, string>)[id] ?? null }),
    );
    expect(audit(beads).warnings).toEqual(expected.map((circle) => ({ kind: "parent-cycle", ids: circle })));
  });

  test.each<{ name: string; labels: string[]; expected: object[] }>([
    {
      name: "a token that is a folder of others is named with them",
      labels: ["fp:src", "fp:src/api/x", "fp:read:src/web"],
      expected: [{ kind: "token-prefix", token: "src", below: ["src/api/x", "src/web"] }],
    },
    { name: "the slash counts", labels: ["fp:src", "fp:srcs/api"], expected: [] },
    {
      name: "a folder with its slash is one too",
      labels: ["fp:src/", "fp:src/api"],
      expected: [{ kind: "token-prefix", token: "src/", below: ["src/api"] }],
    },
    {
      name: "tokens that are only read miss nothing",
      labels: ["fp:read:src", "fp:read:src/api"],
      expected: [],
    },
  ])("$name", ({ labels, expected }) => {
    const beads = labels.map((label, index) => bead({ id: `b-${index}`, labels: [label] }));
    expect(audit(beads).warnings).toEqual(expected);
  });

  test("at most twenty folders are named, with at most ten tokens each", () => {
    const labels = Array.from({ length: 30 }, (_, n) => [
      `fp:f${n}`,
      ...Array.from({ length: 15 }, (__, m) => `fp:f${n}/${m}`),
    ]).flat();
    const { warnings } = audit([bead({ labels })]);
    expect(warnings).toHaveLength(20);
    for (const warning of warnings) expect(warning).toMatchObject({ below: { length: 10 } });
  });

  test("a blocker that does not exist is named", () => {
    expect(audit([writer("a", "x", { blockers: ["nobody"] })]).warnings).toEqual([
      { kind: "missing-blocker", id: "a", blocker: "nobody" },
    ]);
  });

  test("a closed blocker brings no warning", () => {
    const beads = [writer("a", "x", { blockers: ["b"] }), writer("b", "y", { status: "closed" })];
    expect(audit(beads).warnings).toEqual([]);
  });

  test("beads that wait for one another are named together", () => {
    const beads = [
      writer("a", "x", { blockers: ["b"] }),
      writer("b", "y", { blockers: ["c"] }),
      writer("c", "z", { blockers: ["a"] }),
    ];
    expect(audit(beads).warnings).toEqual([{ kind: "dependency-cycle", ids: ["a", "b", "c"] }]);
  });

  test("a cycle through a closed bead is none", () => {
    const beads = [
      writer("a", "x", { blockers: ["b"] }),
      writer("b", "y", { blockers: ["a"], status: "closed" }),
    ];
    expect(audit(beads).warnings).toEqual([]);
  });
});

describe("below an epic", () => {
  const beads = [
    bead({ id: "epic", type: "epic" }),
    bead({ id: "part", type: "feature", parent: "epic" }),
    writer("in-1", "x", { parent: "part" }),
    writer("in-2", "x", { parent: "epic" }),
    bead({ id: "in-3", parent: "epic" }),
    writer("out-1", "x"),
    bead({ id: "out-2", labels: ["no-dispatch", "area:nowhere"] }),
  ];

  test("only what lies below it is reported, the epic itself not", () => {
    expect(audit(beads, { epic: "epic" })).toMatchObject({
      totalOpen: 4,
      unlabeled: ["in-3"],
      nonDispatchable: [{ id: "part" }],
      conflicts: { total: 1, listed: [{ a: "in-1", b: "in-2" }] },
      parallelWidth: { current: 2, potential: 2 },
      stats: { ready: 4, dispatchable: 3, tokens: 2, refactorCore: 0, noDispatch: 0 },
      warnings: [],
    });
  });

  test("an order through a bead outside still counts", () => {
    const through = [
      bead({ id: "epic", type: "epic" }),
      writer("in-1", "x", { parent: "epic" }),
      writer("out", "q", { blockers: ["in-1"] }),
      writer("in-2", "x", { parent: "epic", blockers: ["out"] }),
    ];
    expect(audit(through, { epic: "epic" }).conflicts?.total).toBe(0);
  });

  test("a cycle that reaches outside is reported whole", () => {
    const through = [
      bead({ id: "epic", type: "epic" }),
      writer("in", "x", { parent: "epic", blockers: ["out"] }),
      writer("out", "y", { blockers: ["in"] }),
    ];
    expect(audit(through, { epic: "epic" }).warnings).toEqual([
      { kind: "dependency-cycle", ids: ["in", "out"] },
    ]);
  });
});
