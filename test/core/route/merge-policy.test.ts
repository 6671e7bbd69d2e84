import fc from "fast-check";
import { expect, test } from "vitest";
import { MERGE_POLICIES, resolveMergePolicy } from "../../../src/core/route/merge-policy.js";

test.each(MERGE_POLICIES.map((policy) => ({ policy })))(
  "without a label the project's $policy holds",
  ({ policy }) => {
    expect(resolveMergePolicy([["bug"]], policy)).toEqual({ policy, rationale: "project merge_policy" });
  },
);

test.each<{ name: string; epics: string[][]; policy: string; rationale: string }>([
  {
    name: "an epic's label beats the project",
    epics: [["merge:auto"]],
    policy: "auto",
    rationale: "epic label merge:auto",
  },
  {
    name: "the nearest epic with a label decides",
    epics: [["area:x"], ["merge:auto"], ["merge:manual"]],
    policy: "auto",
    rationale: "epic label merge:auto",
  },
  {
    name: "pr is more careful than auto",
    epics: [["merge:auto", "merge:pr"]],
    policy: "pr",
    rationale: "epic label merge:pr",
  },
  {
    name: "manual is more careful than pr",
    epics: [["merge:pr", "merge:manual"]],
    policy: "manual",
    rationale: "epic label merge:manual",
  },
  {
    name: "a label that names no policy means manual",
    epics: [["merge:yolo"]],
    policy: "manual",
    rationale: "epic label merge:yolo names no policy",
  },
  {
    name: "a label that names no policy outweighs one that does",
    epics: [["merge:auto", "merge:"]],
    policy: "manual",
    rationale: "epic label merge: names no policy",
  },
  {
    name: "letter case counts, to the careful side",
    epics: [["merge:AUTO"]],
    policy: "manual",
    rationale: "epic label merge:AUTO names no policy",
  },
  { name: "no epic leaves the project's word", epics: [], policy: "pr", rationale: "project merge_policy" },
])("$name", ({ epics, policy, rationale }) => {
  expect(resolveMergePolicy(epics, "pr")).toEqual({ policy, rationale });
});

test("the order of labels never matters", () => {
  const label = fc.constantFrom("merge:auto", "merge:pr", "merge:manual", "merge:b", "merge:a", "bug");
  fc.assert(
    fc.property(fc.array(fc.array(label, { maxLength: 4 }), { maxLength: 3 }), (epics) => {
      const turned = epics.map((labels) => labels.toReversed());
      expect(resolveMergePolicy(turned, "pr")).toEqual(resolveMergePolicy(epics, "pr"));
    }),
  );
});
