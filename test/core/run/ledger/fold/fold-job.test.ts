import { expect, test } from "vitest";
import { emptyState } from "../../../../../src/core/run/ledger/ledger-state.js";
import { append, sha } from "../../../../support/core/slots.js";

test("a job is taken once for each ask, and nothing that says it is done changes anything", () => {
  const state = emptyState();
  const data = { kind: "review" as const, pull: 7, head: sha("a"), base: sha("b") };
  append(state, { type: "job.requested", data });
  const [{ id = "" } = {}] = state.jobs;
  for (const attempt of [1, 1, 2]) append(state, { type: "job.claimed", data: { job: id, attempt, run: 9 } });
  append(state, { type: "job.claimed", data: { job: "another", attempt: 3, run: 9 } });
  const before = structuredClone(state.jobs);
  append(state, { type: "job.done", data: { job: id, code: "clean" } });
  expect(state.jobs).toEqual(before);
  expect(state.jobs).toMatchObject([{ ...data, evidence: null, claimed: [1, 2] }]);
});

test("old jobs are forgotten, so that nobody can make everybody carry thousands", () => {
  const state = emptyState();
  const data = { kind: "review" as const, pull: 7, head: sha("a"), base: sha("b") };
  for (let left = 120; left > 0; left -= 1) append(state, { type: "job.requested", data });
  expect(state.jobs).toHaveLength(100);
});
