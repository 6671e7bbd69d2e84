import examples from "@octokit/webhooks-examples";
import { describe, expect, test } from "vitest";
import {
  type CommentJob,
  commentKey,
  commentRef,
  readIssueComment,
  readKeptComment,
  readReview,
  readReviewComment,
} from "../../../src/core/model/comment-job.js";

const READERS: Readonly<Record<string, (payload: unknown) => CommentJob | null>> = {
  issue_comment: readIssueComment,
  pull_request_review: readReview,
  pull_request_review_comment: readReviewComment,
  "koryph.comment": readKeptComment,
};

const delivered = {
  installation: { id: 7 },
  repository: { id: 2, full_name: "O/R" },
};
const written = {
  id: 5,
  html_url: "https://github.test/o/r/issues/1#issuecomment-5",
  body: "/koryph status",
  user: { login: "alice", id: 3, type: "User" },
};
const comment = { ...written, created_at: "2026-01-09T00:00:00Z", performed_via_github_app: null };
const review = { ...written, submitted_at: "2026-01-09T00:00:00Z", state: "commented" };

const onIssue = { ...delivered, action: "created", issue: { number: 1 }, comment };
const onPull = { ...onIssue, issue: { number: 1, pull_request: { url: "x" } } };
const inReview = { ...delivered, action: "submitted", pull_request: { number: 1 }, review };
const onLine = { ...delivered, action: "created", pull_request: { number: 1 }, comment };

describe("a webhook becomes a job", () => {
  test.each([
    { name: "issue_comment", payload: onIssue, expected: ["comment", "issue"] },
    { name: "issue_comment", payload: onPull, expected: ["comment", "pull"] },
    { name: "pull_request_review", payload: inReview, expected: ["review", "pull"] },
    { name: "pull_request_review_comment", payload: onLine, expected: ["review-comment", "pull"] },
  ])("$name: $expected", ({ name, payload, expected }) => {
    expect(READERS[name]?.(payload)).toEqual({
      repository: { fullName: "O/R", id: 2 },
      installation: 7,
      thread: { number: 1, kind: expected[1] },
      comment: {
        kind: expected[0],
        id: 5,
        url: written.html_url,
        createdAt: "2026-01-09T00:00:00Z",
        body: "/koryph status",
      },
      author: { login: "alice", id: 3, type: "User" },
      viaApp: null,
    });
  });

  test("with the app whose token wrote it", () => {
    const byApp = { ...onIssue, comment: { ...comment, performed_via_github_app: { id: 12 } } };
    expect(readIssueComment(byApp)?.viaApp).toBe(12);
  });

  test("and is the same when it is swept up later", () => {
    const job = readIssueComment(onPull);
    expect(readKeptComment(JSON.parse(JSON.stringify(job)))).toEqual(job);
  });

  test.each<{ name: string; event?: string; payload: unknown }>([
    { name: "an edit", payload: { ...onIssue, action: "edited" } },
    { name: "a deletion", payload: { ...onIssue, action: "deleted" } },
    {
      name: "a dismissed review",
      event: "pull_request_review",
      payload: { ...inReview, action: "dismissed" },
    },
    {
      name: "a review without text",
      event: "pull_request_review",
      payload: { ...inReview, review: { ...review, body: null } },
    },
    { name: "no installation", payload: { ...onIssue, installation: undefined } },
    { name: "an author without an account", payload: { ...onIssue, comment: { ...comment, user: null } } },
    { name: "nothing at all", payload: null },
    {
      name: "a swept job that does not tell its repository's id",
      event: "koryph.comment",
      payload: { ...readIssueComment(onIssue), repository: { fullName: "O/R" } },
    },
    { name: "a swept job that is none", event: "koryph.comment", payload: onIssue },
  ])("not $name", ({ event = "issue_comment", payload }) => {
    expect(READERS[event]?.(payload)).toBeNull();
  });
});

test("a comment has one name, whatever the repository is called", () => {
  const renamed = { ...onIssue, repository: { id: 2, full_name: "O/new" } };
  const names = [onIssue, renamed].map((payload) => {
    const job = readIssueComment(payload);
    return job && commentKey(commentRef(job));
  });
  expect(names).toEqual(["comment 5", "comment 5"]);
});

test("no payload that GitHub shows as an example is too much, and those that are somebody's words are read", () => {
  // Its types are those of a module that would have the list as its default.
  const events = examples as unknown as readonly { name: string; examples: readonly object[] }[];
  const read = events.flatMap(({ name, examples: payloads }) =>
    payloads.map((payload) => {
      const job = READERS[name]?.({ ...payload, installation: { id: 7 } }) ?? null;
      return job === null ? null : `${name} ${"action" in payload ? payload.action : ""}`;
    }),
  );
  expect(read.length).toBeGreaterThan(300);
  expect(new Set(read.filter((one) => one !== null))).toEqual(
    new Set(["issue_comment created", "pull_request_review_comment created"]),
  );
});
