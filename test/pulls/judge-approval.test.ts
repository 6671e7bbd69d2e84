import { expect, test } from "vitest";
import type { PullVerdict } from "../../src/core/land/pull/last-verdicts.js";
import { emptyState } from "../../src/core/run/ledger/ledger-state.js";
import type { PullFacts } from "../../src/ports/pulls.js";
import { judgeApproval } from "../../src/pulls/approvals/judge-approval.js";

const HEAD = "a".repeat(40);
const ANN = { id: 7, login: "ann" };
const AT = "2026-01-01T00:00:10Z";
const URL = "https://github.com/team/shop/pull/3#issuecomment-1";

/** Ann approves the head again; her first approval is on record, and `now` is what GitHub shows of its comment. */
async function judged(now: { body: string } | null, verdicts: readonly PullVerdict[] = []) {
  const state = emptyState();
  const evidence = {
    url: URL,
    source: "comment 1",
    body_sha256: "/koryph approve",
    login: "ann",
    user_id: 7,
  };
  const first = { id: "1", at: AT, head: HEAD, via: "comment" as const, evidence };
  state.pulls[3] = { number: 3, approvals: [first], analysis: null };
  const pull: PullFacts = {
    ...{ number: 3, url: "", title: "", body: "", state: "open", draft: false, merged: null, updatedAt: "" },
    author: { login: "bob", id: 8, isBot: false },
    head: { branch: "topic", sha: HEAD, fork: false, repository: "team/shop" },
    base: { branch: "main", sha: "b".repeat(40) },
  };
  const parts = {
    repository: "team/shop",
    record: {
      ...{ commits: async () => [], contains: async () => true },
      activity: async () => [{ after: HEAD, at: "2026-01-01T00:00:00Z", actor: null }],
      ...{ verdicts: async () => verdicts, openThreads: async () => 0, fileAt: async () => null },
    },
    threads: {
      read: async () =>
        now && { ...now, author: ANN, viaApp: null, createdAt: AT, url: URL, edited: async () => false },
      role: async () => "write" as const,
    },
    digest: (text: string) => text,
  };
  const wish = { by: ANN, sha: null, writtenAt: "2026-01-01T00:01:00Z" };
  return (await judgeApproval(parts, pull, { state, wish })).kind;
}

test("whoever has approved a head has approved it already", async () => {
  expect(await judged({ body: "/koryph approve" })).toBe("already");
});

test("whoever deleted the comment that approved it approves it anew with the next one", async () => {
  expect(await judged(null)).toBe("approve");
});

test("an approval that somebody else wrote into the ledger keeps nobody from giving their own", async () => {
  expect(await judged({ body: "nothing of the kind" })).toBe("approve");
});

test("whoever asked for changes since approves it anew", async () => {
  const objection: PullVerdict = {
    ...{ by: { ...ANN, type: "User" }, mayPush: true, state: "changes-requested", head: HEAD, url: URL },
    submittedAt: "2026-01-01T00:00:30Z",
  };
  expect(await judged({ body: "/koryph approve" }, [objection])).toBe("approve");
});
