import fc from "fast-check";
import { expect, test } from "vitest";
import { beadRouter, type RouteWishes, routeBead } from "../../../../src/core/run/plan/route-bead.js";
import { bead } from "../../../support/core/beads.js";
import { projectWith } from "../../../support/core/slots.js";

const labels = fc.array(
  fc.constantFrom(
    ...["fp:a", "fp:read:b", "no-dispatch", "merge:auto", "merge:pr", "merge:never"],
    ...["model:haiku", "model:opus", "model:review:opus", "model:implement:haiku", "model:x y"],
    ...["rt:0", "rt:3", "rt:9", "runtime:codex", "runtime:mine", "timeout:60", "timeout:0900"],
  ),
  { maxLength: 4 },
);
const backlogs = fc
  .array(
    fc.record({
      labels,
      parent: fc.option(fc.nat(11), { nil: null }),
      words: fc.constantFrom(0, 399, 400, 1999, 2000),
    }),
    { maxLength: 10 },
  )
  .map((beads) =>
    beads.map(({ labels, parent, words }, index) =>
      bead({
        id: `b-${index}`,
        labels,
        parent: parent === null ? null : `b-${parent}`,
        description: "x".repeat(words),
      }),
    ),
  );

const CONFIGS = [
  projectWith(),
  projectWith({
    review: { auto: true },
    pipeline: [
      { name: "docs", prompt: "p" },
      { name: "test", prompt: "p", model: "haiku" },
    ],
  }),
  projectWith({ default_runtime: "mine", runtimes: { mine: { command: ["./agent"] } }, merge_policy: "pr" }),
];
const WISHES: readonly RouteWishes[] = [
  {},
  { model: "opus", direct: true },
  { defaultModel: "haiku", review: true, noPulls: { kind: "no_remote" } },
  { unusable: { codex: "it is not there" } },
];

test("a backlog's beads are routed as each is by itself", () => {
  fc.assert(
    fc.property(
      backlogs,
      fc.constantFrom(...CONFIGS),
      fc.constantFrom(...WISHES),
      (beads, config, wishes) => {
        const routeOf = beadRouter(beads, config, wishes);
        const byId = new Map(beads.map((each) => [each.id, each]));
        // Each twice: what is remembered must be right, too.
        for (const each of [...beads, ...beads])
          expect(routeOf(each)).toEqual(routeBead(each, byId, config, wishes));
      },
    ),
    { numRuns: 200 },
  );
});

test("a bead that is its own epic, and one below it, land as each is by itself", () => {
  const own = bead({ id: "b-1", parent: "b-1", labels: ["merge:auto"] });
  const below = bead({ id: "b-2", parent: "b-1" });
  const routeOf = beadRouter([own, below], projectWith());
  const policies = [below, own].map((each) => {
    const choice = routeOf(each);
    return choice.kind === "chosen" ? choice.route.mergePolicy : choice.kind;
  });
  expect(policies).toEqual(["auto", "manual"]);
});
