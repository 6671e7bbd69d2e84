import { expect, test } from "vitest";
import { readAnchors } from "../../../src/sandbox/world/pulls/review-anchor.js";
import { peopleTest } from "../../support/app/sandbox-people.js";

const bodies = (list: readonly { body: string }[]) => list.map(({ body }) => body);

peopleTest("a review comes with its comments on lines, and is told in small letters", async (lab) => {
  const number = await lab.openPull();
  const made = await lab.ask("bob", "POST", `/pulls/${number}/reviews`, {
    ...{ event: "APPROVE", body: "Good." },
    comments: [
      { path: "text.md", line: 3, start_line: 2, side: "RIGHT", body: "both" },
      { path: "text.md", line: 2, side: "LEFT", body: "before" },
      { path: "new.md", position: 2, body: "by position" },
    ],
  });

  expect(made).toMatchObject({ status: 200, body: { state: "APPROVED", user: { login: "bob" } } });
  const comments = await lab.get("app", `/pulls/${number}/comments`);
  expect(comments).toMatchObject([
    { line: 3, start_line: 2, side: "RIGHT", pull_request_review_id: made.body.id },
    { line: 2, side: "LEFT" },
    { line: 2, side: "RIGHT", path: "new.md" },
  ]);
  expect(comments[1].diff_hunk).toMatch(/^@@ .*\n line 1\n-line 2$/);
  const news = await lab.news();
  expect(news.map(({ event, payload }) => `${event}.${payload.action}`)).toEqual([
    "pull_request_review.submitted",
    ...Array(3).fill("pull_request_review_comment.created"),
  ]);
  expect(news[0]?.payload).toMatchObject({ review: { state: "approved" }, pull_request: { number } });
});

peopleTest("one comment beside the diff spoils the whole review", async (lab) => {
  const number = await lab.openPull();
  const attempt = (comment: object) =>
    lab.ask("bob", "POST", `/pulls/${number}/reviews`, {
      ...{ event: "COMMENT", body: "See below." },
      comments: [{ path: "text.md", line: 2, body: "fine" }, comment],
    });
  const far = await attempt({ path: "text.md", line: 9, body: "not in the diff" });
  const elsewhere = await attempt({ path: "gone.md", line: 1, body: "no such file" });

  expect([far.status, elsewhere.status]).toEqual([422, 422]);
  expect(far.body.message).toBe('Unprocessable Entity: "Line could not be resolved"');
  expect(await lab.get("bob", `/pulls/${number}/reviews`)).toEqual([]);
  expect(await lab.get("bob", `/pulls/${number}/comments`)).toEqual([]);
  expect(await lab.heard()).toEqual([]);
});

peopleTest("nobody approves their own, and a judgement says why", async (lab) => {
  const number = await lab.openPull();
  const attempt = async (who: string, body: object) =>
    (await lab.ask(who, "POST", `/pulls/${number}/reviews`, body)).status;
  expect(await attempt("alice", { event: "APPROVE" })).toBe(422);
  expect(await attempt("alice", { event: "REQUEST_CHANGES", body: "No." })).toBe(422);
  expect(await attempt("alice", { event: "COMMENT", body: "Look." })).toBe(200);
  expect(await attempt("bob", { event: "REQUEST_CHANGES" })).toBe(422);
  expect(await attempt("mallory", { event: "APPROVE" })).toBe(200);
  expect(await attempt("app", { event: "APPROVE" })).toBe(200);
});

peopleTest("a pending review is its author's alone until it is submitted", async (lab) => {
  const number = await lab.openPull();
  const { body } = await lab.ask("bob", "POST", `/pulls/${number}/reviews`, {
    comments: [{ path: "new.md", line: 1, body: "hidden" }],
  });
  const seen = async (who: string) => [
    (await lab.get(who, `/pulls/${number}/reviews`)).length,
    (await lab.get(who, `/pulls/${number}/comments`)).length,
  ];
  expect(body.state).toBe("PENDING");
  expect(await seen("alice")).toEqual([0, 0]);
  expect(await seen("bob")).toEqual([1, 1]);
  expect((await lab.ask("alice", "GET", `/pulls/${number}/reviews/${body.id}`)).status).toBe(404);
  expect(await lab.heard()).toEqual([]);

  await lab.ask("bob", "POST", `/pulls/${number}/reviews/${body.id}/events`, { event: "COMMENT" });
  expect(await seen("alice")).toEqual([1, 1]);
  expect(await lab.heard()).toEqual(["pull_request_review.submitted", "pull_request_review_comment.created"]);
});

peopleTest("a dismissed approval is one no more, and the thread remembers why", async (lab) => {
  const number = await lab.openPull();
  const { body } = await lab.ask("bob", "POST", `/pulls/${number}/reviews`, { event: "APPROVE" });
  const path = `/pulls/${number}/reviews/${body.id}/dismissals`;
  expect((await lab.ask("bob", "PUT", path, { message: "Too early." })).status).toBe(403);
  const dismissed = await lab.ask("you", "PUT", path, { message: "Too early." });

  expect(dismissed.body.state).toBe("DISMISSED");
  expect((await lab.ask("you", "PUT", path, { message: "Again." })).status).toBe(422);
  expect(await lab.heard()).toEqual(["pull_request_review.submitted", "pull_request_review.dismissed"]);
  const events = await lab.get("you", `/issues/${number}/events`);
  expect(events.at(-1)).toMatchObject({
    event: "review_dismissed",
    dismissed_review: { state: "approved", dismissal_message: "Too early." },
  });
});

peopleTest(
  "a single comment on a line is a review of its own, and answers stand below the first",
  async (lab) => {
    const number = await lab.openPull();
    const { sha } = (await lab.get("you", `/pulls/${number}`)).head;
    const path = `/pulls/${number}/comments`;
    const first = await lab.ask("bob", "POST", path, {
      body: "Why?",
      commit_id: sha,
      path: "text.md",
      line: 3,
    });
    const answer = await lab.ask("alice", "POST", `${path}/${first.body.id}/replies`, { body: "So." });
    const third = await lab.ask("bob", "POST", `${path}/${answer.body.id}/replies`, { body: "Oh." });
    const beside = await lab.ask("bob", "POST", path, {
      body: "?",
      commit_id: sha,
      path: "text.md",
      line: 10,
    });
    const whole = { body: "All.", commit_id: sha, path: "new.md", subject_type: "file" };
    const file = await lab.ask("bob", "POST", path, whole);

    expect([first.status, answer.status, third.status, beside.status, file.status]).toEqual([
      201, 201, 201, 422, 201,
    ]);
    expect(third.body.in_reply_to_id).toBe(first.body.id);
    expect(bodies(await lab.get("app", path))).toEqual(["Why?", "So.", "Oh.", "All."]);
    expect(await lab.get("app", `/pulls/${number}/reviews`)).toHaveLength(4);
    const reacting = await lab.ask("app", "POST", `/pulls/comments/${first.body.id}/reactions`, {
      content: "eyes",
    });
    expect(reacting.status).toBe(201);
    await lab.news();
    expect(
      (await lab.ask("mallory", "PATCH", `/pulls/comments/${first.body.id}`, { body: "x" })).status,
    ).toBe(403);
    await lab.ask("bob", "PATCH", `/pulls/comments/${first.body.id}`, { body: "Why so?" });
    expect(await lab.get("app", `/pulls/comments/${first.body.id}`)).toMatchObject({ body: "Why so?" });
    expect(await lab.heard()).toEqual(["pull_request_review_comment.edited"]);
  },
);

test("every line of a hunk can be commented on, on the sides where it is", () => {
  const patch = [
    "@@ -1,3 +1,3 @@",
    " same",
    "-old",
    "+new",
    " end",
    "@@ -10 +10,2 @@ more",
    " ten",
    "+eleven",
  ];
  const anchors = readAnchors(patch.join("\n")).map(
    ({ line, side, position }) => `${side} ${line} at ${position}`,
  );
  expect(anchors).toEqual([
    ...["RIGHT 1 at 1", "LEFT 1 at 1", "LEFT 2 at 2", "RIGHT 2 at 3", "RIGHT 3 at 4", "LEFT 3 at 4"],
    ...["RIGHT 10 at 6", "LEFT 10 at 6", "RIGHT 11 at 7"],
  ]);
});
