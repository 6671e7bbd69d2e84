import { expect, test } from "vitest";
import { lastVerdicts, type PullVerdict } from "../../../../src/core/land/pull/last-verdicts.js";

const ANN = { id: 7, login: "ann", type: "User" };
const BO = { id: 8, login: "bo", type: "User" };

function verdict(id: number, given: Partial<PullVerdict> = {}): PullVerdict {
  return {
    ...{ by: ANN, mayPush: true, state: "approved", head: "a".repeat(40), url: `https://github.test/${id}` },
    submittedAt: "2026-03-01T12:00:00Z",
    ...given,
  };
}

test.each<{ name: string; listed: readonly PullVerdict[]; last: readonly number[] }>([
  { name: "an approval is one", listed: [verdict(1)], last: [1] },
  {
    name: "of two the last counts",
    listed: [verdict(1), verdict(2, { state: "changes-requested" })],
    last: [2],
  },
  {
    name: "also where it was dismissed",
    listed: [verdict(1), verdict(2, { state: "dismissed" })],
    last: [2],
  },
  {
    name: "also under another name",
    listed: [verdict(1, { state: "changes-requested" }), verdict(2, { by: { ...ANN, login: "anna" } })],
    last: [2],
  },
  { name: "a bot has no say", listed: [verdict(1, { by: { ...ANN, type: "Bot" } })], last: [] },
  { name: "each person has one", listed: [verdict(1), verdict(2, { by: BO }), verdict(3)], last: [3, 2] },
])("$name", ({ listed, last }) => {
  const urls = [...lastVerdicts(listed).values()].map(({ url }) => url);
  expect(urls).toEqual(last.map((id) => `https://github.test/${id}`));
});
