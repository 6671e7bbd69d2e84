import { expect } from "vitest";
import {
  clickAction,
  comment,
  deleteComment,
  editComment,
  label,
  openIssue,
  review,
} from "../../src/sandbox/world/people.js";
import { peopleTest } from "../support/app/sandbox-people.js";

peopleTest("a comment is told when it is made, edited and deleted, with what it was before", async (lab) => {
  await lab.ask("you", "POST", "/issues", { title: "Slow" });
  await lab.news();
  const made = await lab.ask("mallory", "POST", "/issues/1/comments", { body: "/koryph help" });
  await lab.ask("mallory", "PATCH", `/issues/comments/${made.body.id}`, { body: "never mind" });
  const gone = await lab.ask("mallory", "DELETE", `/issues/comments/${made.body.id}`);

  expect(gone.status).toBe(204);
  const [created, edited, deleted] = await lab.news();
  expect(created).toMatchObject({
    event: "issue_comment",
    payload: { action: "created", issue: { number: 1, comments: 1 }, comment: { body: "/koryph help" } },
  });
  expect(created?.payload.issue.pull_request).toBeUndefined();
  expect(edited?.payload).toMatchObject({
    action: "edited",
    changes: { body: { from: "/koryph help" } },
    comment: { body: "never mind", user: { login: "mallory" }, performed_via_github_app: null },
  });
  expect(deleted?.payload).toMatchObject({ action: "deleted", comment: { body: "never mind" } });
  expect((await lab.ask("you", "GET", `/issues/comments/${made.body.id}`)).status).toBe(404);
});

peopleTest("a comment by an app names the app, and its author is a bot", async (lab) => {
  const number = await lab.openPull();
  const { body } = await lab.ask("app", "POST", `/issues/${number}/comments`, { body: "Done." });
  expect(body).toMatchObject({
    user: { login: "koryph[bot]", type: "Bot" },
    performed_via_github_app: { id: lab.app.id, slug: "koryph" },
  });
  const [news] = await lab.news();
  expect(news?.payload).toMatchObject({
    sender: { type: "Bot" },
    issue: { pull_request: { merged_at: null } },
  });
});

peopleTest("texts are kept to GitHub's length, and are not empty", async (lab) => {
  await lab.ask("you", "POST", "/issues", { title: "Slow" });
  const say = async (body: string) => (await lab.ask("app", "POST", "/issues/1/comments", { body })).status;
  expect(await say("é".repeat(65_536))).toBe(201);
  expect(await say("é".repeat(65_537))).toBe(422);
  expect(await say(" \n")).toBe(422);
  expect((await lab.ask("app", "POST", "/issues/9/comments", { body: "x" })).status).toBe(404);
});

peopleTest("others' comments are changed by those who may write", async (lab) => {
  await lab.ask("you", "POST", "/issues", { title: "Slow" });
  const { body } = await lab.ask("you", "POST", "/issues/1/comments", { body: "mine" });
  const edit = async (who: string) =>
    (await lab.ask(who, "PATCH", `/issues/comments/${body.id}`, { body: who })).status;
  expect(await edit("mallory")).toBe(403);
  expect(await edit("bob")).toBe(403);
  expect(await edit("alice")).toBe(200);
});

peopleTest("comments are listed from a time on, and a page at a time", async (lab) => {
  await lab.ask("you", "POST", "/issues", { title: "Slow" });
  await lab.ask("you", "POST", "/issues", { title: "Fast" });
  for (const body of ["first", "second"]) {
    await lab.ask("you", "POST", "/issues/1/comments", { body });
    lab.clock.now += 60_000;
  }
  const since = lab.sandbox.world.timestamp();
  await lab.ask("you", "POST", "/issues/1/comments", { body: "third" });
  await lab.ask("you", "POST", "/issues/2/comments", { body: "elsewhere" });
  const bodies = async (path: string) =>
    (await lab.get("app", path)).map(({ body }: { body: string }) => body);

  expect(await bodies(`/issues/1/comments?since=${since}`)).toEqual(["third"]);
  expect(await bodies("/issues/1/comments?per_page=2&page=2")).toEqual(["third"]);
  expect(await bodies(`/issues/comments?since=${since}&direction=desc&sort=created`)).toEqual([
    "elsewhere",
    "third",
  ]);
});

peopleTest("a reaction that is there already is answered with 200 and stays one", async (lab) => {
  await lab.ask("you", "POST", "/issues", { title: "Slow" });
  const { body } = await lab.ask("you", "POST", "/issues/1/comments", { body: "/koryph help" });
  const path = `/issues/comments/${body.id}/reactions`;
  const first = await lab.ask("app", "POST", path, { content: "eyes" });
  const second = await lab.ask("app", "POST", path, { content: "eyes" });
  await lab.ask("mallory", "POST", path, { content: "eyes" });

  expect([first.status, second.status]).toEqual([201, 200]);
  expect(second.body.id).toBe(first.body.id);
  expect(await lab.get("you", `/issues/comments/${body.id}`)).toMatchObject({
    reactions: { eyes: 2, total_count: 2 },
  });
  expect((await lab.ask("mallory", "DELETE", `${path}/${first.body.id}`)).status).toBe(403);
  expect((await lab.ask("app", "DELETE", `${path}/${first.body.id}`)).status).toBe(204);
  expect(await lab.get("you", path)).toMatchObject([{ content: "eyes", user: { login: "mallory" } }]);
  expect((await lab.ask("app", "POST", "/issues/1/reactions", { content: "rocket" })).status).toBe(201);
});

peopleTest("people in the same process go the way of requests, rights and webhooks included", async (lab) => {
  const { repo, sandbox } = lab;
  const { world } = sandbox;
  const pull = await lab.openPull();
  const issue = await openIssue(world, repo, "mallory", { title: "Slow", body: "It is." });
  const said = await comment(world, repo, issue, "bob", "/koryph why");
  await editComment(world, repo, said, "bob", "/koryph why now");
  await deleteComment(world, repo, said, "bob");
  await label(world, repo, issue, "bob", "ready");
  await review(world, repo, pull, "bob", {
    state: "APPROVED",
    body: "Good.",
    comments: [{ path: "text.md", line: 2, body: "Nice." }],
  });
  const { body: run } = await lab.ask("app", "POST", "/check-runs", {
    ...{ name: "koryph", head_sha: "agent/x", status: "in_progress" },
    actions: [{ label: "Land", description: "Land it now", identifier: "land" }],
  });
  clickAction(world, repo, run.id, "alice", "land");

  expect(() => clickAction(world, repo, run.id, "mallory", "land")).toThrow(/more rights/);
  await expect(label(world, repo, issue, "mallory", "held")).rejects.toThrow(/more rights/);
  await expect(review(world, repo, pull, "alice", { state: "APPROVED" })).rejects.toThrow(/your own/);
  expect(await lab.heard()).toEqual([
    ...["issues.opened", "issue_comment.created", "issue_comment.edited", "issue_comment.deleted"],
    ...["issues.labeled", "pull_request_review.submitted", "pull_request_review_comment.created"],
    ...["check_run.created", "check_run.requested_action"],
  ]);
});
