import { expect, test } from "vitest";
import { mapLine } from "../../../src/sandbox/world/pulls/follow-comments.js";
import { type PeopleLab, peopleTest } from "../../support/app/sandbox-people.js";

// biome-ignore lint/suspicious/noExplicitAny: answers are read like GitHub's clients read them
type Body = any;

const LINES = Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join("");
const CHANGED = LINES.replace("line 2\n", "two\n").replace("line 3\n", "three\n");

test.each([
  ["before the first hunk", 1, 1],
  ["a replaced line", 3, null],
  ["behind it", 5, 6],
  ["an insertion stands behind its line", 8, 9],
  ["and moves the next", 9, 12],
])("a line's number after a diff: %s", (_, line, after) => {
  const diff = "@@ -3 +3,2 @@\n-a\n+b\n+c\n@@ -8,0 +10,2 @@\n+d\n+e\n";
  expect(mapLine(diff, line)).toBe(after);
});

async function threads(lab: PeopleLab): Promise<Body[]> {
  const query = `query($owner: String!, $name: String!) { repository(owner: $owner, name: $name) {
    pullRequest(number: 1) { reviewDecision reviewThreads(first: 10) { nodes {
      id isOutdated isResolved line originalLine resolvedBy { login } comments(first: 5) { nodes { outdated } } } } } } }`;
  const [owner, name] = lab.repo.split("/");
  const { data } = await lab.graphql("you", query, { owner, name });
  return data.repository.pullRequest.reviewThreads.nodes;
}

const push = (lab: PeopleLab, files: Record<string, string>, more: object = {}) =>
  lab.sandbox.commit(lab.repo, "agent/x", files, { author: "alice", ...more });

peopleTest("a comment moves with its line, and is outdated once the line changes", async (lab) => {
  await lab.openPull();
  const say = (path: string, line: number, body: string) => ({ path, line, body });
  await lab.ask("bob", "POST", "/pulls/1/reviews", {
    ...{ event: "COMMENT", body: "See." },
    comments: [say("text.md", 2, "two?"), say("text.md", 3, "three?"), say("new.md", 1, "new?")],
  });
  const head = await push(lab, { "text.md": `zero\n${CHANGED.replace("three\n", "drei\n")}` });
  expect(await threads(lab)).toMatchObject([
    { isOutdated: false, line: 3, originalLine: 2 },
    { isOutdated: true, line: null, originalLine: 3, comments: { nodes: [{ outdated: true }] } },
    { isOutdated: false, line: 1 },
  ]);
  const comments = await lab.get("you", "/pulls/1/comments");
  expect(comments[0]).toMatchObject({ line: 3, original_line: 2, commit_id: head });
  expect(comments[1].line).toBeUndefined();
  const reply = await lab.ask("alice", "POST", `/pulls/1/comments/${comments[1].id}/replies`, {
    body: "So.",
  });
  expect(reply.body.line).toBeUndefined();
  await push(lab, { "text.md": LINES, "new.md": "first\nsecond\n" });
  expect((await threads(lab)).map(({ isOutdated }) => isOutdated)).toEqual([true, true, false]);
});

peopleTest("a conversation that is settled says by whom, and tells", async (lab) => {
  await lab.openPull();
  const comments = [{ path: "new.md", line: 1, body: "Hm?" }];
  await lab.ask("bob", "POST", "/pulls/1/reviews", { event: "COMMENT", body: "See.", comments });
  const [thread] = await threads(lab);
  await lab.news();
  const settle = (verb: string) =>
    lab.graphql("app", `mutation { ${verb}(input: { threadId: "${thread.id}" }) { thread { isResolved } } }`);
  await settle("resolveReviewThread");
  await settle("resolveReviewThread");
  expect(await threads(lab)).toMatchObject([{ isResolved: true, resolvedBy: { login: "koryph" } }]);
  await settle("unresolveReviewThread");
  expect(await lab.heard()).toEqual([
    "pull_request_review_thread.resolved",
    "pull_request_review_thread.unresolved",
  ]);
});

peopleTest(
  "a new proposal dismisses approvals where the rules say so; the same one rebased does not",
  async (lab) => {
    await lab.openPull();
    const parameters = { required_approving_review_count: 1, dismiss_stale_reviews_on_push: true };
    lab.sandbox.addRuleset(lab.repo, { rules: [{ type: "pull_request", parameters }] });
    await lab.ask("you", "POST", "/pulls/1/reviews", { event: "APPROVE" });
    const states = async () =>
      (await lab.get("you", "/pulls/1/reviews")).map(({ state }: { state: string }) => state);
    const base = await lab.sandbox.commit(lab.repo, "main", { "other.md": "other\n" });
    await push(lab, { "text.md": CHANGED, "new.md": "first\nsecond\n" }, { parent: base });
    expect(await states()).toEqual(["APPROVED"]);
    await lab.news();
    await push(lab, { "new.md": "first\n" });
    expect(await states()).toEqual(["DISMISSED"]);
    expect(await lab.heard()).toEqual(["pull_request.synchronize", "pull_request_review.dismissed"]);
  },
);

peopleTest("an approval can be shown as one of the head that a force-push left", async (lab) => {
  await lab.openPull();
  const { head, base } = await lab.get("you", "/pulls/1");
  await lab.ask("you", "POST", "/pulls/1/reviews", { event: "APPROVE" });
  const anchor = async () => (await lab.get("you", "/pulls/1/reviews"))[0].commit_id;
  const second = await push(lab, { "a.md": "a\n" });
  expect(await anchor()).toBe(head.sha);
  lab.sandbox.switches.reanchorReviews = true;
  await lab.ask("you", "POST", "/pulls/1/reviews", { event: "APPROVE", commit_id: second });
  const forced = await push(lab, { "b.md": "b\n" }, { parent: base.sha });
  lab.sandbox.switches.reanchorReviews = false;
  const reviews = await lab.get("you", "/pulls/1/reviews");
  expect(reviews.map(({ commit_id }: Body) => commit_id)).toEqual([head.sha, forced]);
});
