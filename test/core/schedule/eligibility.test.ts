import { expect, test } from "vitest";
import { dispatchRefusalText } from "../../../src/core/replies/schedule/schedule.js";
import { ineligible } from "../../../src/core/schedule/eligibility.js";
import { type BeadOverrides, bead } from "../../support/core/beads.js";

const nobody = new Set<string>();
const facts = { active: nobody, containers: nobody };

test("a plain task may be dispatched", () => expect(ineligible(bead(), facts)).toBeNull());

test.each<{ type: string }>([{ type: "bug" }, { type: "chore" }, { type: "Epic" }])(
  "a bead of type $type may be dispatched",
  ({ type }) => expect(ineligible(bead({ type }), facts)).toBeNull(),
);

test.each<{ given: BeadOverrides; bucket: string; code: string; reason: string }>([
  { given: { type: "epic" }, bucket: "skipped", code: "issue_type", reason: "non-dispatch issue_type epic" },
  {
    given: { type: "feature" },
    bucket: "skipped",
    code: "issue_type",
    reason: "non-dispatch issue_type feature",
  },
  {
    given: { type: "decision" },
    bucket: "skipped",
    code: "issue_type",
    reason: "non-dispatch issue_type decision",
  },
  {
    given: { type: "merge-request" },
    bucket: "skipped",
    code: "issue_type",
    reason: "non-dispatch issue_type merge-request",
  },
  { given: { labels: ["gt:merge"] }, bucket: "skipped", code: "gate_label", reason: "gate label gt:merge" },
  { given: { labels: ["gt:z", "gt:a"] }, bucket: "skipped", code: "gate_label", reason: "gate label gt:a" },
  {
    given: { labels: ["no-dispatch"] },
    bucket: "deferred",
    code: "no_dispatch",
    reason: "no-dispatch label",
  },
  {
    given: { labels: ["refactor-core"] },
    bucket: "deferred",
    code: "refactor_core",
    reason: "refactor-core label",
  },
])("$given is $bucket: $reason", ({ given, bucket, code, reason }) => {
  const found = ineligible(bead(given), facts);
  expect(found).toMatchObject({ bucket, refusal: { code } });
  expect(found && dispatchRefusalText(found.refusal)).toBe(reason);
});

test("a bead in flight is deferred as already active", () => {
  expect(ineligible(bead({ id: "b-1" }), { ...facts, active: new Set(["b-1"]) })).toEqual({
    bucket: "deferred",
    refusal: { code: "already_active" },
  });
});

test("a bead with open children is deferred as a container", () => {
  expect(ineligible(bead({ id: "b-1" }), { ...facts, containers: new Set(["b-1"]) })).toEqual({
    bucket: "deferred",
    refusal: { code: "container" },
  });
});

test("of several reasons the most lasting one is shown", () => {
  const everywhere = { active: new Set(["b-1"]), containers: new Set(["b-1"]) };
  const labels = ["refactor-core", "no-dispatch", "gt:merge"];
  const shown = [
    ineligible(bead({ type: "epic", labels }), everywhere),
    ineligible(bead({ labels }), everywhere),
    ineligible(bead({ labels: labels.slice(0, 2) }), everywhere),
    ineligible(bead({ labels: labels.slice(0, 1) }), everywhere),
    ineligible(bead(), everywhere),
  ].map((verdict) => verdict?.refusal.code);
  expect(shown).toEqual(["issue_type", "gate_label", "no_dispatch", "refactor_core", "already_active"]);
});
