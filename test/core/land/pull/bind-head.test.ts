import { expect, test } from "vitest";
import { bindHead, type HeadFacts } from "../../../../src/core/land/pull/bind-head.js";
import { isSameWork, type ReplayedCommit } from "../../../../src/core/land/pull/carry-approval.js";
import { ownedFiles } from "../../../../src/core/land/pull/code-owners.js";
import { type ApprovalRequest, decideApproval } from "../../../../src/core/land/pull/decide-approval.js";
import { sha } from "../../../support/core/slots.js";

const pushed = (head: string, at: string) => ({ after: sha(head), at, actor: { id: 1, login: "ann" } });

/** The head was pushed a minute before somebody wrote. */
const written: HeadFacts = {
  head: sha("a"),
  sha: null,
  writtenAt: "2026-01-01T10:01:00Z",
  activity: [pushed("a", "2026-01-01T10:00:00Z"), pushed("b", "2026-01-01T09:00:00Z")],
};

test.each<{ name: string; given: Partial<HeadFacts>; step: string }>([
  { name: "the head that was there is meant", given: {}, step: "bound" },
  { name: "a SHA names it", given: { sha: sha("a").slice(0, 12), activity: null }, step: "bound" },
  { name: "in capitals as well", given: { sha: sha("a").toUpperCase(), activity: null }, step: "bound" },
  { name: "another SHA is another head", given: { sha: sha("b").slice(0, 12) }, step: "sha_mismatch" },
  {
    name: "a push after the words moved it",
    given: { writtenAt: "2026-01-01T09:30:00Z" },
    step: "head_moved",
  },
  {
    name: "one in the same second may have",
    given: { writtenAt: "2026-01-01T10:00:00Z" },
    step: "head_moved",
  },
  { name: "nobody tells of a private fork", given: { activity: null }, step: "head_moved" },
  {
    name: "a branch that came back to an old head was elsewhere then",
    given: {
      activity: [
        pushed("a", "2026-01-01T10:02:00Z"),
        pushed("b", "2026-01-01T10:00:30Z"),
        pushed("a", "2026-01-01T10:00:00Z"),
      ],
    },
    step: "head_moved",
  },
])("$name", ({ given, step }) => expect(bindHead({ ...written, ...given }).kind).toBe(step));

const request: ApprovalRequest = {
  ...written,
  by: { id: 2, login: "bob" },
  open: true,
  contributors: [{ id: 1, login: "ann", hand: "opened" }],
  contributorsKnown: true,
  approved: null,
};

test.each<{ name: string; given: Partial<ApprovalRequest>; step: string }>([
  { name: "a reviewer approves", given: {}, step: "approve" },
  { name: "once", given: { approved: sha("a") }, step: "already" },
  { name: "anew when the head has moved since", given: { approved: sha("b") }, step: "approve" },
  { name: "an author does not", given: { by: { id: 1, login: "ann" } }, step: "own_work" },
  {
    name: "nor does a pusher",
    given: { contributors: [{ id: 2, login: "bob", hand: "pushed" }] },
    step: "own_work",
  },
  { name: "nor anybody who may be one", given: { contributorsKnown: false }, step: "too_large" },
  { name: "what is closed is not approved", given: { open: false }, step: "not_open" },
  { name: "a head that nobody saw is not", given: { activity: [] }, step: "head_moved" },
  { name: "nor one of another name", given: { sha: "0123456789ab" }, step: "sha_mismatch" },
])("$name", ({ given, step }) => {
  const decision = decideApproval({ ...request, ...given });
  expect(decision.kind === "refuse" ? decision.refusal.code : decision.kind).toBe(step);
});

const commit: ReplayedCommit = {
  tree: sha("1"),
  author: "Ann <a@x> 1 +0000",
  encoding: "",
  message: "feat: x\n",
};
test.each<{ name: string; replayed: ReplayedCommit[]; found: ReplayedCommit[]; same: boolean }>([
  { name: "equal commits are the same work", replayed: [commit], found: [commit], same: true },
  { name: "another tree is not", replayed: [commit], found: [{ ...commit, tree: sha("2") }], same: false },
  { name: "another author is not", replayed: [commit], found: [{ ...commit, author: "Eve" }], same: false },
  { name: "another message is not", replayed: [commit], found: [{ ...commit, message: "x" }], same: false },
  { name: "one more is not", replayed: [commit], found: [commit, commit], same: false },
  { name: "one less is not", replayed: [commit, commit], found: [commit], same: false },
  { name: "nothing is no work", replayed: [], found: [], same: false },
])("$name", ({ replayed, found, same }) => expect(isSameWork(replayed, found)).toBe(same));

test.each<{ text: string; path: string; owners: string }>([
  { text: "* @a", path: "x/y.ts", owners: "@a" },
  { text: "*.ts @a", path: "x/y.ts", owners: "@a" },
  { text: "*.ts @a", path: "x/y.tsx", owners: "" },
  { text: "/docs/ @a", path: "docs/x/y.md", owners: "@a" },
  { text: "/docs/ @a", path: "src/docs/y.md", owners: "" },
  { text: "docs/ @a", path: "src/docs/y.md", owners: "@a" },
  { text: "docs/* @a", path: "docs/y.md", owners: "@a" },
  { text: "docs/* @a", path: "docs/x/y.md", owners: "" },
  { text: "**/logs @a", path: "x/y/logs/z", owners: "@a" },
  { text: "/src/**/test.ts @a", path: "src/a/b/test.ts", owners: "@a" },
  { text: "* @a\nsrc/ @b", path: "src/x", owners: "@b" },
  { text: "* @a\nsrc/", path: "src/x", owners: "" },
  { text: "# * @a\n\n* @b # why", path: "x", owners: "@b" },
  { text: "a.b @a", path: "axb", owners: "" },
])("$path is owned by '$owners' according to $text", ({ text, path, owners }) => {
  expect(ownedFiles(text, [path])[0]?.owners.join(" ") ?? "").toBe(owners);
});
