import { describe, expect, test } from "vitest";
import { writeEvent } from "../../../../src/core/run/ledger/ledger-event.js";
import type { Slot } from "../../../../src/core/run/ledger/slot.js";
import {
  afterAcceptance,
  nextStage,
  type StepFacts,
  wantsAgent,
} from "../../../../src/core/run/tick/next-step.js";
import { wordEvent } from "../../../../src/engine/word-event.js";
import { acceptedSlot, candidate, projectWith, sha, slot, stage } from "../../../support/core/slots.js";

const NOW = 5_000_000;
type Review = NonNullable<Slot["review"]>;

const reviewed = (verdict: Review["verdict"], head: string = candidate.head): Review => ({
  head,
  verdict,
  note: "1 blocking",
});
const bounced = (bounce: number) => ({ gate: 0, conflict: 0, style: 0, bounce, error: 0 });

interface Given {
  readonly slot?: Partial<Slot>;
  readonly options?: StepFacts["options"];
  readonly config?: object;
}

function facts({ slot: over = {}, options = {}, config = {} }: Given): StepFacts {
  return { slot: acceptedSlot(over), config: projectWith(config), options, now: NOW };
}

/** What follows, once it is known that it can be written down. */
function follows(given: Given) {
  const event = wordEvent(afterAcceptance(facts(given)));
  writeEvent({ ...event, id: "0".repeat(26), at: "", actor: "test" });
  return event;
}

describe("the review", () => {
  const review = { review: true };
  const queued = {
    type: "slot.queued",
    data: { task: "review", counts: "none", report: null, not_before: NOW },
  };
  const waits = (note: string) => ({
    type: "slot.finished",
    data: { status: "merge-pending", head: candidate.head, commits: 2, note },
  });

  test.each<{ name: string; given: Given; expected: object }>([
    { name: "comes first where the run asks for it", given: { options: review }, expected: queued },
    {
      name: "comes first where the project asks for it",
      given: { config: { review: { auto: true } } },
      expected: queued,
    },
    {
      name: "comes before a landing that is asked for directly",
      given: { options: { ...review, direct: true } },
      expected: queued,
    },
    { name: "does not come unasked for", given: {}, expected: waits("") },
    {
      name: "is asked for again when it was of another head",
      given: { options: review, slot: { review: reviewed("clean", sha("d")) } },
      expected: queued,
    },
    {
      name: "is not asked for twice",
      given: { options: review, slot: { review: reviewed("clean") } },
      expected: waits(""),
    },
    ...[0, 1].map((bounces) => ({
      name: `that blocks sends the branch back after ${bounces} bounces`,
      given: { options: review, slot: { review: reviewed("blocking"), setbacks: bounced(bounces) } },
      expected: {
        type: "slot.queued",
        data: {
          task: "implement",
          start: "resume",
          counts: "bounce",
          report: "review",
          reason: "the review sends it back: 1 blocking",
        },
      },
    })),
    {
      name: "that still blocks after two bounces leaves it to a person",
      given: { options: review, slot: { review: reviewed("blocking"), setbacks: bounced(2) } },
      expected: waits("the review still blocks after 2 rounds, so a person decides: `koryph land`"),
    },
    {
      name: "that still blocks is not passed over by --direct and auto",
      given: {
        options: { review: true, autoMerge: true, direct: true },
        slot: { review: reviewed("blocking"), setbacks: bounced(2), mergePolicy: "auto" },
      },
      expected: waits("the review still blocks after 2 rounds, so a person decides: `koryph land`"),
    },
    {
      name: "that blocked counts although this run asks for none",
      given: { slot: { review: reviewed("blocking") } },
      expected: { type: "slot.queued", data: { counts: "bounce" } },
    },
    {
      name: "that is degraded lets it go on, and is shown as degraded",
      given: { options: review, slot: { review: reviewed("degraded") } },
      expected: waits("the review is degraded: 1 blocking"),
    },
    {
      name: "that is degraded lets it land where the policy says so",
      given: {
        options: { ...review, autoMerge: true },
        slot: { review: reviewed("degraded"), mergePolicy: "auto" },
      },
      expected: { type: "land.requested" },
    },
    {
      name: "that is degraded blocks where the project says so",
      given: {
        config: { review: { on_degraded: "block" } },
        options: { ...review, direct: true },
        slot: { review: reviewed("degraded") },
      },
      expected: {
        type: "slot.blocked",
        data: { status: "blocked", reason: "the review is degraded: 1 blocking" },
      },
    },
    {
      name: "that is clean does not block under on_degraded",
      given: {
        config: { review: { on_degraded: "block" } },
        options: review,
        slot: { review: reviewed("clean") },
      },
      expected: waits(""),
    },
  ])("$name", ({ given, expected }) => expect(follows(given)).toMatchObject(expected));
});

describe("the merge policy", () => {
  const { branch, from, base, head } = candidate;
  const lands = (method = "ff") => ({
    type: "land.requested",
    bead: "b-1",
    run: "r-1",
    data: { branch, from, base, head, method, by: "engine", allow_protected: false },
  });

  test.each<{ policy: Slot["mergePolicy"]; options: StepFacts["options"]; expected: object }>([
    { policy: "manual", options: {}, expected: { type: "slot.finished", data: { note: "" } } },
    { policy: "manual", options: { autoMerge: true }, expected: { type: "slot.finished" } },
    { policy: "manual", options: { direct: true }, expected: lands() },
    {
      policy: "auto",
      options: {},
      expected: {
        type: "slot.finished",
        data: {
          note: "waits for `koryph land`, because this run had no --auto-merge to go with its merge policy auto",
        },
      },
    },
    { policy: "auto", options: { autoMerge: true }, expected: lands() },
    { policy: "auto", options: { direct: true }, expected: lands() },
    { policy: "pr", options: {}, expected: { type: "pull.requested", data: candidate } },
    { policy: "pr", options: { autoMerge: true }, expected: { type: "pull.requested" } },
    { policy: "pr", options: { direct: true }, expected: lands() },
  ])("$policy with $options", ({ policy, options, expected }) => {
    expect(follows({ slot: { mergePolicy: policy }, options })).toMatchObject(expected);
  });

  test("lands by the project's method", () => {
    const given = { options: { direct: true }, config: { merge_method: "squash" } };
    expect(follows(given)).toEqual(lands("squash"));
  });
});

describe("stages", () => {
  const asides = [stage({ task: "stage:docs" }), stage({ task: "stage:test" }), stage({ task: "review" })];

  test.each<{ name: string; passed: string[]; expected: string | null }>([
    { name: "the first follows the implementing", passed: ["implement"], expected: "stage:docs" },
    {
      name: "the second follows the first",
      passed: ["implement", "stage:docs"],
      expected: "stage:test",
    },
    {
      name: "one that was left out before is not forgotten",
      passed: ["implement", "stage:test"],
      expected: "stage:docs",
    },
    {
      name: "the review is none of them",
      passed: ["implement", "stage:docs", "stage:test"],
      expected: null,
    },
    { name: "implementing anew begins them anew", passed: [], expected: "stage:docs" },
  ])("$name", ({ passed, expected }) => expect(nextStage(slot({ asides, passed }))).toBe(expected));

  test("there may be none", () => expect(nextStage(slot({ passed: ["implement"] }))).toBeNull());
});

describe("a place is kept free for", () => {
  test.each<{ name: string; given: Given; expected: boolean }>([
    { name: "the next stage", given: { slot: { asides: [stage()] } }, expected: true },
    { name: "the review", given: { options: { review: true } }, expected: true },
    {
      name: "the review of what is not accepted yet",
      given: { options: { review: true }, slot: { candidate: null } },
      expected: true,
    },
    { name: "nobody when the next step is the landing", given: {}, expected: false },
    {
      name: "nobody when the review is done",
      given: { options: { review: true }, slot: { review: reviewed("clean") } },
      expected: false,
    },
    {
      name: "nobody when the landing was refused",
      given: { options: { review: true }, slot: { status: "refused" } },
      expected: false,
    },
  ])("$name", ({ given, expected }) => expect(wantsAgent(facts(given))).toBe(expected));
});
