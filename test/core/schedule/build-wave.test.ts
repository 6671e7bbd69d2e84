import { describe, expect, test } from "vitest";
import type { Bead } from "../../../src/core/model/bead.js";
import { dispatchRefusalText } from "../../../src/core/replies/schedule/schedule.js";
import {
  buildWave,
  type InFlight,
  type Wave,
  type WaveInput,
} from "../../../src/core/schedule/build-wave.js";
import { footprintOf } from "../../../src/core/schedule/footprint.js";
import { AREAS, bead, ids } from "../../support/core/beads.js";

function wave(frontier: readonly Bead[], rest: Partial<WaveInput> = {}): Wave {
  return buildWave({ frontier, areaMap: AREAS, ...rest });
}

function writer(id: string, token: string, priority = 2): Bead {
  return bead({ id, labels: [`fp:${token}`], priority });
}

function flying(id: string, ...labels: string[]): InFlight {
  return { id, footprint: footprintOf(labels, AREAS) };
}

function chosen({ selected }: Wave): string[] {
  return ids(selected.map((item) => item.bead));
}

function reasons({ deferred }: Wave): Record<string, string> {
  return Object.fromEntries(deferred.map((item) => [item.bead.id, dispatchRefusalText(item.refusal)]));
}

describe("packing", () => {
  test("an empty frontier makes an empty wave", () => {
    expect(wave([])).toEqual({ selected: [], deferred: [], skipped: [], deferrals: {}, lookups: 0 });
  });

  test("beads that do not meet run together", () => {
    expect(chosen(wave([writer("a", "x"), writer("b", "y")]))).toEqual(["a", "b"]);
  });

  test("a selected bead carries its footprint and its resources", () => {
    const [item] = wave([bead({ labels: ["area:docs", "res:port", "res:gpu"] })]).selected;
    expect(item).toMatchObject({ footprint: { reads: [], writes: ["docs"] }, resources: ["gpu", "port"] });
  });

  test("the most urgent bead is packed first", () => {
    expect(chosen(wave([writer("late", "x", 3), writer("soon", "x", 0)]))).toEqual(["soon"]);
  });

  test("beads of one priority keep the tracker's order", () => {
    expect(chosen(wave([writer("z", "1"), writer("a", "2"), writer("m", "3")]))).toEqual(["z", "a", "m"]);
  });

  test("readers of one token run together", () => {
    const readers = ["a", "b"].map((id) => bead({ id, labels: ["fp:read:x"] }));
    expect(chosen(wave(readers))).toEqual(["a", "b"]);
  });

  test("beads without labels run one at a time", () => {
    expect(reasons(wave([bead({ id: "a" }), bead({ id: "b" })]))).toEqual({ b: "footprint conflict with a" });
  });

  test("a deferral lets beads behind it through", () => {
    expect(chosen(wave([writer("a", "x"), writer("b", "x"), writer("c", "y")]))).toEqual(["a", "c"]);
  });

  test("the frontier given is left as it was", () => {
    const frontier = Object.freeze([writer("b", "x", 3), writer("a", "x", 1)]);
    wave(frontier);
    expect(ids(frontier)).toEqual(["b", "a"]);
  });
});

describe("reasons", () => {
  test("a rival in this wave is named, with a code and its id", () => {
    const { deferred } = wave([writer("a", "x"), writer("b", "x")]);
    expect(deferred).toMatchObject([{ bead: { id: "b" }, refusal: { code: "conflict", by: "a" } }]);
  });

  test("a rival in flight is named as such", () => {
    const { deferred } = wave([writer("b", "x")], { inFlight: [flying("a", "fp:x")] });
    expect(deferred).toMatchObject([{ refusal: { code: "conflict_in_flight", by: "a" } }]);
  });

  test.each<{ name: string; labels: string[]; inFlight: InFlight[]; expected: string }>([
    {
      name: "the rival in flight with the smallest id is named",
      labels: ["fp:x", "fp:y"],
      inFlight: [flying("f-2", "fp:x"), flying("f-1", "fp:y")],
      expected: "footprint conflict with f-1 (in-flight)",
    },
    {
      name: "a rival in flight is named before one in the wave",
      labels: ["fp:x", "fp:w"],
      inFlight: [flying("f-1", "fp:x")],
      expected: "footprint conflict with f-1 (in-flight)",
    },
    {
      name: "of rivals in the wave the one selected first is named",
      labels: ["fp:w2", "fp:w"],
      inFlight: [],
      expected: "footprint conflict with first",
    },
    {
      name: "a reader in flight keeps a writer back",
      labels: ["fp:x"],
      inFlight: [flying("f-1", "fp:read:x")],
      expected: "footprint conflict with f-1 (in-flight)",
    },
  ])("$name", ({ labels, inFlight, expected }) => {
    const ahead = [writer("first", "w", 0), writer("second", "w2", 1)];
    expect(reasons(wave([...ahead, bead({ id: "last", labels })], { inFlight })).last).toBe(expected);
  });

  test("a bead in flight is deferred as already active, not as its own rival", () => {
    expect(reasons(wave([writer("a", "x")], { inFlight: [flying("a", "fp:x")] }))).toEqual({
      a: "already active",
    });
  });

  test("a container is deferred and takes no token", () => {
    const made = wave([writer("a", "x"), writer("b", "x")], { containers: new Set(["a"]) });
    expect([reasons(made), chosen(made)]).toEqual([{ a: "container bead" }, ["b"]]);
  });

  test("an epic and a gate bead are skipped and take no token", () => {
    const made = wave([
      bead({ id: "e", type: "epic", labels: ["fp:x"] }),
      bead({ id: "g", labels: ["gt:merge", "fp:x"] }),
      writer("b", "x"),
    ]);
    expect(made.skipped.map((item) => [item.bead.id, dispatchRefusalText(item.refusal)])).toEqual([
      ["e", "non-dispatch issue_type epic"],
      ["g", "gate label gt:merge"],
    ]);
    expect(chosen(made)).toEqual(["b"]);
  });

  test("a bead refused for a reason decided elsewhere is deferred with it and takes no token", () => {
    const refused = new Map([["a", { code: "model_refused", problem: "no such model" } as const]]);
    const made = wave([writer("a", "x"), writer("b", "x")], { refused });
    expect([reasons(made), chosen(made)]).toEqual([{ a: "no such model" }, ["b"]]);
  });

  test("a rule of eligibility is named before a reason decided elsewhere", () => {
    const refused = new Map([["e", { code: "model_refused", problem: "no such model" } as const]]);
    const { skipped } = wave([bead({ id: "e", type: "epic" })], { refused });
    expect(skipped.map(({ refusal }) => refusal)).toEqual([{ code: "issue_type", type: "epic" }]);
  });
});

describe("width", () => {
  const three = [writer("a", "1"), writer("b", "2"), writer("c", "3")];

  test.each([
    { name: "without a width everything fits", width: undefined, expected: ["a", "b", "c"] },
    { name: "a width ends packing", width: 2, expected: ["a", "b"] },
    { name: "a width of 0 selects nothing", width: 0, expected: [] },
    { name: "a width beyond the frontier changes nothing", width: 9, expected: ["a", "b", "c"] },
  ])("$name", ({ width, expected }) => {
    expect(chosen(wave(three, width === undefined ? {} : { width }))).toEqual(expected);
  });

  test("a full wave is the reason even for a bead that would conflict", () => {
    expect(reasons(wave([writer("a", "x"), writer("b", "x")], { width: 1 }))).toEqual({ b: "wave full" });
  });

  test("a deferred bead takes no place", () => {
    expect(chosen(wave([writer("a", "x"), writer("b", "x"), writer("c", "y")], { width: 2 }))).toEqual([
      "a",
      "c",
    ]);
  });
});

describe("resources", () => {
  function user(id: string, ...kinds: string[]): Bead {
    return bead({ id, labels: [`fp:${id}`, ...kinds.map((kind) => `res:${kind}`)] });
  }

  test("a kind that is not listed has one place", () => {
    expect(reasons(wave([user("a", "gpu"), user("b", "gpu")]))).toEqual({
      b: "resource gpu at capacity (held by a)",
    });
  });

  test("a capacity lets as many in", () => {
    const frontier = [user("a", "gpu"), user("b", "gpu"), user("c", "gpu")];
    expect(reasons(wave(frontier, { capacities: { gpu: 2 } }))).toEqual({
      c: "resource gpu at capacity (held by a)",
    });
  });

  test("a capacity of 0 lets nobody in", () => {
    expect(reasons(wave([user("a", "gpu"), user("b")], { capacities: { gpu: 0 } }))).toEqual({
      a: "resource gpu has no place",
    });
  });

  test("a holder in flight counts and is named first", () => {
    const inFlight = [{ ...flying("f-1", "fp:f"), resources: ["gpu"] }];
    expect(reasons(wave([user("a", "gpu"), user("b", "gpu")], { inFlight, capacities: { gpu: 2 } }))).toEqual(
      {
        b: "resource gpu at capacity (held by f-1)",
      },
    );
  });

  test("of several full kinds the first by name is shown", () => {
    expect(reasons(wave([user("a", "port", "gpu"), user("b", "port", "gpu")])).b).toBe(
      "resource gpu at capacity (held by a)",
    );
  });

  test("a full kind is named before a footprint conflict", () => {
    const frontier = ["a", "b"].map((id) => bead({ id, labels: ["fp:x", "res:gpu"] }));
    expect(reasons(wave(frontier)).b).toBe("resource gpu at capacity (held by a)");
  });

  test.each([{ label: "res:GPU" }, { label: "res:" }, { label: "res:a b" }])(
    "the malformed label $label asks for nothing",
    ({ label }) => expect(wave([bead({ labels: [label] })]).selected[0]?.resources).toEqual([]),
  );

  test("a label given twice asks for one place", () => {
    expect(chosen(wave([bead({ labels: ["res:gpu", "res:gpu"] })]))).toHaveLength(1);
  });

  test("a kind named like a method of objects has one place", () => {
    expect(chosen(wave([user("a", "constructor"), user("b", "constructor")]))).toEqual(["a"]);
  });
});

describe("deferral counts", () => {
  const rival = writer("a", "x", 0);
  const base = writer("b", "x");

  test.each<{ name: string; frontier: Bead[]; rest: Partial<WaveInput>; expected: Record<string, number> }>([
    { name: "a conflict in the wave counts", frontier: [rival, base], rest: {}, expected: { a: 0, b: 1 } },
    {
      name: "a conflict in flight counts",
      frontier: [base],
      rest: { inFlight: [flying("f", "fp:x")] },
      expected: { b: 1 },
    },
    {
      name: "counts add up",
      frontier: [rival, base],
      rest: { deferrals: { b: 3 } },
      expected: { a: 0, b: 4 },
    },
    { name: "a full wave does not count", frontier: [base], rest: { width: 0 }, expected: {} },
    {
      name: "a full wave keeps the count",
      frontier: [base],
      rest: { width: 0, deferrals: { b: 3 } },
      expected: { b: 3 },
    },
    {
      name: "a full resource does not count",
      frontier: [bead({ id: "b", labels: ["fp:y", "res:gpu"] })],
      rest: { inFlight: [{ ...flying("f", "fp:x"), resources: ["gpu"] }], deferrals: { b: 3 } },
      expected: { b: 3 },
    },
    {
      name: "selection resets the count",
      frontier: [base],
      rest: { deferrals: { b: 7 } },
      expected: { b: 0 },
    },
    {
      name: "a reservation does not count against those behind it",
      frontier: [bead({ id: "a", labels: ["fp:x", "fp:y"], priority: 0 }), base],
      rest: { inFlight: [flying("f", "fp:y")], deferrals: { a: 5, b: 2 } },
      expected: { a: 6, b: 2 },
    },
    {
      name: "a bead set aside for one wave keeps its count",
      frontier: [bead({ id: "b", labels: ["fp:x", "no-dispatch"] })],
      rest: { deferrals: { b: 3 } },
      expected: { b: 3 },
    },
    {
      name: "a bead refused for one wave keeps its count",
      frontier: [base],
      rest: {
        refused: new Map([["b", { code: "model_refused", problem: "none" }]]),
        deferrals: { b: 3 },
      },
      expected: { b: 3 },
    },
    {
      name: "a bead skipped for one wave keeps its count",
      frontier: [bead({ id: "b", labels: ["gt:hold"] })],
      rest: { deferrals: { b: 3 } },
      expected: { b: 3 },
    },
    {
      name: "the count of a bead that left the frontier is dropped",
      frontier: [rival],
      rest: { deferrals: { gone: 4 } },
      expected: { a: 0 },
    },
  ])("$name", ({ frontier, rest, expected }) => expect(wave(frontier, rest).deferrals).toEqual(expected));
});

describe("a starving bead", () => {
  const starving = bead({ id: "s", labels: ["fp:x", "fp:y"], priority: 1 });
  const inFlight = [flying("f", "fp:x")];

  test.each([
    { name: "four deferrals reserve nothing", deferrals: { s: 4 }, expected: ["r"] },
    { name: "five deferrals keep its tokens free", deferrals: { s: 5 }, expected: [] },
    { name: "more than five keep them free too", deferrals: { s: 50 }, expected: [] },
  ])("$name", ({ deferrals, expected }) => {
    expect(chosen(wave([starving, writer("r", "y")], { inFlight, deferrals }))).toEqual(expected);
  });

  test("names itself to those it keeps out", () => {
    const { deferred } = wave([starving, writer("r", "y")], { inFlight, deferrals: { s: 5 } });
    expect(deferred.at(-1)).toMatchObject({
      bead: { id: "r" },
      refusal: { code: "reserved", by: "s" },
    });
  });

  test("keeps out nobody of a higher priority", () => {
    const urgent = writer("r", "y", 0);
    expect(chosen(wave([starving, urgent], { inFlight, deferrals: { s: 5 } }))).toEqual(["r"]);
  });

  test("comes before those of its own priority, wherever the tracker lists it", () => {
    const ahead = writer("r", "y", 1);
    expect(chosen(wave([ahead, starving], { inFlight, deferrals: { s: 5 } }))).toEqual([]);
    expect(chosen(wave([ahead, starving], { deferrals: { s: 5 } }))).toEqual(["s"]);
  });

  test("that does not starve yet keeps the tracker's order", () => {
    const ahead = writer("r", "y", 1);
    expect(chosen(wave([ahead, starving], { deferrals: { s: 4 } }))).toEqual(["r"]);
  });

  test("shares its priority's front with others that starve, in the tracker's order", () => {
    const frontier = [writer("new", "x", 1), starving, writer("also", "y", 1)];
    expect(chosen(wave(frontier, { deferrals: { s: 5, also: 9 } }))).toEqual(["s"]);
  });

  test("keeps out nobody who touches something else", () => {
    expect(chosen(wave([starving, writer("r", "z")], { inFlight, deferrals: { s: 5 } }))).toEqual(["r"]);
  });

  test("that only reads a token lets other readers in and keeps writers out", () => {
    const reader = bead({ id: "s", labels: ["fp:x", "fp:read:y"], priority: 1 });
    const others = [bead({ id: "r", labels: ["fp:read:y"] }), writer("w", "y")];
    const made = wave([reader, ...others], { inFlight, deferrals: { s: 5 } });
    expect([chosen(made), reasons(made).w]).toEqual([["r"], "reserved for s"]);
  });

  test("is not reserved for when it cannot be dispatched at all", () => {
    const barred = { ...starving, labels: [...starving.labels, "no-dispatch"] };
    expect(chosen(wave([barred, writer("r", "y")], { inFlight, deferrals: { s: 9 } }))).toEqual(["r"]);
  });

  test("in flight comes before the reservation in the reason shown", () => {
    const made = wave([starving, writer("r", "x")], { inFlight, deferrals: { s: 5 } });
    expect(reasons(made).r).toBe("footprint conflict with f (in-flight)");
  });
});

describe("over several rounds", () => {
  /** Two streams of rivals, each rival running for two rounds, so that one of x and y is always taken. */
  function roundsUntilRun(beads: readonly Bead[], guarded: boolean): Map<string, number> {
    const started = new Map<string, number>();
    let running: { slot: InFlight; until: number }[] = [];
    let deferrals: Readonly<Record<string, number>> = {};
    for (let round = 0; round < 40; round += 1) {
      running = running.filter(({ until }) => until > round);
      const rival = writer(`r-${round}`, round % 2 === 0 ? "x" : "y", 3);
      const made = wave([rival, ...beads.filter(({ id }) => !started.has(id))], {
        inFlight: running.map(({ slot }) => slot),
        ...(guarded ? { deferrals } : {}),
      });
      deferrals = made.deferrals;
      for (const { bead: picked, footprint } of made.selected) {
        if (beads.includes(picked)) started.set(picked.id, round);
        running.push({ slot: { id: picked.id, footprint }, until: round + 2 });
      }
    }
    return started;
  }

  const first = bead({ id: "s-1", labels: ["fp:x", "fp:y"] });
  const second = bead({ id: "s-2", labels: ["fp:x", "fp:y"] });
  // Takes x in round 0, where nothing is in flight yet and the bead would simply run.
  const opener = writer("opener", "x", 0);

  test("a bead that needs two contested tokens waits for ever when deferrals are forgotten", () => {
    expect(roundsUntilRun([opener, first], false).has("s-1")).toBe(false);
  });

  test("it runs once its deferrals are remembered", () => {
    expect(roundsUntilRun([opener, first], true).get("s-1")).toBeLessThanOrEqual(7);
  });

  test("two starving beads that want the same both run, one after the other", () => {
    const started = roundsUntilRun([opener, first, second], true);
    expect([started.has("s-1"), started.has("s-2")]).toEqual([true, true]);
    expect(started.get("s-2")).toBeGreaterThan(started.get("s-1") ?? 40);
  });

  test("a bead runs although newer beads of its own priority are listed before it", () => {
    let deferrals: Readonly<Record<string, number>> = {};
    const ranIn = Array.from({ length: 12 }).findIndex((_, round) => {
      const made = wave([writer(`new-${round}`, "x"), writer("old", "x")], { deferrals });
      deferrals = made.deferrals;
      return chosen(made).includes("old");
    });
    expect(ranIn).toBe(5);
  });

  test("a count rises by one per conflict and is back at 0 after the bead ran", () => {
    const frontier = [writer("s", "x")];
    const inFlight = [flying("f", "fp:x")];
    const counts: (number | undefined)[] = [];
    let deferrals: Readonly<Record<string, number>> = {};
    for (const slots of [inFlight, inFlight, inFlight, []]) {
      deferrals = wave(frontier, { inFlight: slots, deferrals }).deferrals;
      counts.push(deferrals.s);
    }
    expect(counts).toEqual([1, 2, 3, 0]);
  });
});
