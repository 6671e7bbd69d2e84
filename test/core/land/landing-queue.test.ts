import { describe, expect, test } from "vitest";
import { firstInLine, type LandingQueue, standingOf } from "../../../src/core/land/landing-queue.js";

const landing = (id: string, branch = "main", kind: "work" | "land-pull" = "work") => ({
  id: `l-${id}`,
  bead: id,
  branch,
  kind,
});

function queue(over: Partial<LandingQueue> = {}): LandingQueue {
  return { landings: [landing("a"), landing("b"), landing("c", "next")], holds: {}, slots: {}, ...over };
}

const a = { id: "l-a", bead: "a" };

describe("a request", () => {
  test.each<{ name: string; given: Partial<LandingQueue>; standing: object }>([
    { name: "may land while it is in the queue", given: {}, standing: { kind: "open" } },
    { name: "waits while its bead is held", given: { holds: { a: {} } }, standing: { kind: "held" } },
    {
      name: "does not wait for another bead's hold",
      given: { holds: { b: {} } },
      standing: { kind: "open" },
    },
    {
      name: "that somebody landed is over, held or not",
      given: { landings: [], holds: { a: {} }, slots: { a: { status: "merged", landed: "c0ffee" } } },
      standing: { kind: "landed", head: "c0ffee" },
    },
    {
      name: "that somebody took back is gone",
      given: { landings: [], slots: { a: { status: "merge-pending", landed: null } } },
      standing: { kind: "gone" },
    },
    {
      name: "is not open because the same bead was asked for again",
      given: { landings: [{ ...landing("a"), id: "l-2" }] },
      standing: { kind: "gone" },
    },
  ])("$name", ({ given, standing }) => expect(standingOf(queue(given), a)).toEqual(standing));
});

describe("whose turn it is", () => {
  const turn = (given: Partial<LandingQueue>) =>
    firstInLine(queue(given))
      .map(({ bead }) => bead)
      .sort();

  test("the first of each branch", () => expect(turn({})).toEqual(["a", "c"]));
  test("the one behind it while the first is held", () =>
    expect(turn({ holds: { a: {} } })).toEqual(["b", "c"]));
  test("a pull request and work do not wait for each other", () => {
    const landings = [
      landing("pull-7", "main", "land-pull"),
      landing("a"),
      landing("pull-8", "main", "land-pull"),
    ];
    expect(turn({ landings })).toEqual(["a"]);
    expect(firstInLine(queue({ landings }), "pulls").map(({ bead }) => bead)).toEqual(["pull-7"]);
  });
  test("nobody's where all are held", () => expect(turn({ holds: { a: {}, b: {}, c: {} } })).toEqual([]));
});
