import { expect, test } from "vitest";
import type { PullVerdict } from "../../src/core/land/pull/last-verdicts.js";
import type { Approval } from "../../src/core/run/ledger/ledger-state.js";
import { askRolesOnce } from "../../src/pulls/approvals/ask-roles-once.js";
import { readApprovals } from "../../src/pulls/approvals/read-approvals.js";

const HEAD = "a".repeat(40);
const ANN = { id: 7, login: "ann" };
const COMMENT = "https://github.com/team/shop/pull/3#issuecomment-1";
const SAID = "2026-01-01T00:00:30Z";

interface Shown {
  readonly verdicts?: readonly PullVerdict[] | null;
  readonly recorded?: readonly Approval[];
  /** Who wrote the comment, as GitHub shows it now. */
  readonly author?: { readonly id: number; readonly login: string };
}

/** What is read of a pull request whose head was pushed first of all, and of whom GitHub was asked. */
async function read({ verdicts = [], recorded = [], author = ANN }: Shown) {
  const asked: string[] = [];
  const threads = askRolesOnce({
    read: async () => ({
      ...{ body: "/koryph approve", author, viaApp: null, createdAt: SAID, url: COMMENT },
      edited: async () => false,
    }),
    role: async (login) => {
      asked.push(login);
      return ["ann", "anna", "bo"].includes(login) ? "write" : "read";
    },
  });
  const activity = [{ after: HEAD, at: "2026-01-01T00:00:00Z", actor: null }];
  const place = { repository: "team/shop", pull: 3, activity, heads: [HEAD] };
  const record = { verdicts: async () => verdicts };
  const found = await readApprovals({ record, threads, digest: (text) => text }, place, recorded);
  return { ...found, asked, holding: found.approvals.filter((each) => each.evidence === "holds") };
}

function verdict(by: { id: number; login: string }, given: Partial<PullVerdict> = {}): PullVerdict {
  return {
    ...{ by: { ...by, type: "User" }, mayPush: true, state: "approved", head: HEAD, submittedAt: SAID },
    ...{ url: `${COMMENT}-${by.id}`, ...given },
  };
}

const strangers = (count: number, given: Partial<PullVerdict> = {}) =>
  Array.from({ length: count }, (_, at) =>
    verdict({ id: 100 + at, login: `tom-${at}` }, { mayPush: false, ...given }),
  );

function byComment(login: string): Approval {
  const evidence = { url: COMMENT, source: "comment 1", body_sha256: "/koryph approve", login, user_id: 7 };
  return { id: "1", at: SAID, head: HEAD, via: "comment", evidence };
}

test.each([1, 40, 400])("%s strangers push nobody's word out of sight, and cost nothing", async (count) => {
  const bo = { id: 8, login: "bo" };
  const { objections, approvals, asked } = await read({
    verdicts: [
      verdict(bo),
      verdict(ANN, { state: "changes-requested" }),
      ...strangers(count),
      ...strangers(count, { state: "changes-requested" }).map((each) => ({
        ...each,
        by: { ...each.by, id: each.by.id + 1_000 },
      })),
    ],
  });
  expect(objections).toEqual([ANN]);
  expect(approvals.filter(({ mayApprove }) => mayApprove).map(({ by }) => by)).toEqual([bo]);
  expect(asked).toEqual(["bo"]);
});

test("where there are too many reviews to be read, nothing counts and nobody knows of objections", async () => {
  expect(await read({ verdicts: null, recorded: [byComment("ann")] })).toMatchObject({
    ...{ approvals: [], objections: null, asked: [] },
  });
});

test("whoever has another name since they approved by comment still counts, by what that name may do", async () => {
  const anna = { id: 7, login: "anna" };
  const { holding, asked } = await read({ recorded: [byComment("ann")], author: anna });
  expect(holding).toMatchObject([{ by: anna, mayApprove: true }]);
  expect(asked).toEqual(["anna"]);
});

test("whoever took over a reviewer's old name does not count as that reviewer", async () => {
  const { approvals, asked } = await read({ recorded: [byComment("ann")], author: { id: 99, login: "ann" } });
  expect(approvals).toMatchObject([{ evidence: "not-theirs", mayApprove: false }]);
  expect(asked).toEqual([]);
});

test("a request for changes under a new name takes back what was approved under the old one", async () => {
  const verdicts = [verdict({ id: 7, login: "anna" }, { state: "changes-requested" })];
  const { holding, objections } = await read({ verdicts, recorded: [byComment("ann")] });
  expect(holding).toEqual([]);
  expect(objections).toEqual([{ id: 7, login: "anna" }]);
});

test("GitHub is asked once about a person who approved in both forms", async () => {
  expect((await read({ verdicts: [verdict(ANN)], recorded: [byComment("ann")] })).asked).toEqual(["ann"]);
});
