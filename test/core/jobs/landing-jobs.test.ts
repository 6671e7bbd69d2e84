import { expect, test } from "vitest";
import { jobsInUse, jobsOfLanding } from "../../../src/core/jobs/landing-jobs.js";

const landing = { pull: 1, at: "2026-01-02T00:00:00Z" };
const job = { id: "a", kind: "rebase" as const, pull: 1, at: "2026-01-02T00:01:00Z" };

test.each([
  { name: "one of this landing", given: {}, count: 1 },
  { name: "one of an earlier landing", given: { at: "2026-01-01T00:00:00Z" }, count: 0 },
  { name: "another kind", given: { kind: "review" as const }, count: 0 },
  { name: "another pull request", given: { pull: 2 }, count: 0 },
])("a landing counts its jobs: $name", ({ given, count }) =>
  expect(jobsOfLanding([{ ...job, ...given }], landing, "rebase")).toBe(count),
);

test("what runners left is kept for landings in the queue only", () => {
  expect([...jobsInUse([job, { ...job, id: "b", pull: 2 }], [landing])]).toEqual(["a"]);
});
