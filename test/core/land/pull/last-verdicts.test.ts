import { expect, test } from "vitest";
import { type ListedReview, lastVerdicts } from "../../../../src/core/land/pull/last-verdicts.js";

const ANN = { id: 7, login: "ann", type: "User" };
const BO = { id: 8, login: "bo", type: "User" };

function review(id: number, given: Partial<ListedReview> = {}): ListedReview {
  return {
    ...{ id, by: ANN, state: "approved", head: "a".repeat(40), body: "", url: `https://github.test/${id}` },
    submittedAt: "2026-03-01T12:00:00Z",
    ...given,
  };
}

test.each<{ name: string; listed: readonly ListedReview[]; last: readonly number[] }>([
  { name: "an approval is one", listed: [review(1)], last: [1] },
  { name: "a remark is none", listed: [review(1, { state: "commented" })], last: [] },
  { name: "what is not sent yet is none", listed: [review(1, { state: "pending" })], last: [] },
  {
    name: "a remark afterwards takes nothing back",
    listed: [review(1), review(2, { state: "commented" })],
    last: [1],
  },
  {
    name: "of two the last counts",
    listed: [review(1), review(2, { state: "changes-requested" })],
    last: [2],
  },
  { name: "also where it was dismissed", listed: [review(1), review(2, { state: "dismissed" })], last: [2] },
  { name: "a bot has no say", listed: [review(1, { by: { ...ANN, type: "Bot" } })], last: [] },
  { name: "the newest stand last", listed: [review(1), review(2, { by: BO }), review(3)], last: [2, 3] },
])("$name", ({ listed, last }) => {
  expect([...lastVerdicts(listed).values()].map(({ id }) => id)).toEqual(last);
});
