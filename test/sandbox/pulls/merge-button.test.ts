import { expect } from "vitest";
import { type PeopleLab, peopleTest } from "../../support/app/sandbox-people.js";

function press(lab: PeopleLab, who: string, body: object = {}) {
  return lab.ask(who, "PUT", "/pulls/1/merge", body);
}

async function commitsOf(lab: PeopleLab, ref = "main") {
  // biome-ignore lint/suspicious/noExplicitAny: answers are read like GitHub's clients read them
  return (await lab.get("you", `/commits?sha=${ref}`)).map(({ commit, parents, sha }: any) => ({
    ...{ sha, parents: parents.length, message: commit.message, author: commit.author.name },
    ...{ committer: commit.committer.name, reason: commit.verification.reason },
  }));
}

peopleTest("a merge commit is GitHub's own, signed, and has both sides as parents", async (lab) => {
  await lab.openPull();
  await lab.sandbox.commit(lab.repo, "main", { "other.md": "other\n" });
  const { head } = await lab.get("you", "/pulls/1");
  const merged = await press(lab, "you", { sha: head.sha });
  expect(merged).toMatchObject({ status: 200, body: { merged: true } });
  const [tip] = await commitsOf(lab);
  expect(tip).toEqual({
    ...{ sha: merged.body.sha, parents: 2, author: "you", committer: "GitHub", reason: "valid" },
    message: "Merge pull request #1 from you/agent/x\n\nTwo lines",
  });
  expect(await lab.get("you", "/pulls/1")).toMatchObject({
    ...{ state: "closed", merged: true, merged_by: { login: "you" }, merge_commit_sha: merged.body.sha },
    head: { sha: head.sha },
  });
  const news = await lab.news();
  expect(news.map(({ event, payload }) => `${event}.${payload.action}`)).toEqual(["pull_request.closed"]);
  expect(news[0]?.payload.pull_request).toMatchObject({ merged: true, merge_commit_sha: merged.body.sha });
  const events = await lab.get("you", "/issues/1/events");
  expect(events.map(({ event }: { event: string }) => event)).toEqual(["merged", "closed"]);
});

peopleTest("a squash is one commit by the pull's author; its head never becomes reachable", async (lab) => {
  await lab.openPull();
  const by = { author: "alice", message: "More\n\nWhy." };
  await lab.sandbox.commit(lab.repo, "agent/x", { "more.md": "more\n" }, by);
  const { body } = await press(lab, "alice", { merge_method: "squash" });
  const [tip, begin] = await commitsOf(lab);
  expect(tip).toMatchObject({
    ...{ sha: body.sha, parents: 1, author: "alice", committer: "GitHub", reason: "valid" },
    message: "Two lines (#1)\n\n* Change two lines\n\n* More\n\nWhy.",
  });
  expect(begin.message).toBe("Begin");
  expect(await lab.get("you", "/pulls/1")).toMatchObject({ merged: true, commits: 2 });
});

peopleTest("a rebase makes every commit anew, and drops signatures", async (lab) => {
  await lab.openPull();
  await lab.sandbox.commit(
    lab.repo,
    "agent/x",
    { "more.md": "more\n" },
    { author: "alice", message: "More" },
  );
  await lab.sandbox.commit(lab.repo, "main", { "other.md": "other\n" });
  const before = await commitsOf(lab, "agent/x");
  await press(lab, "you", { merge_method: "rebase" });
  const after = await commitsOf(lab);
  expect(after.slice(0, 2)).toMatchObject([
    { parents: 1, message: "More", author: "alice", committer: "you", reason: "unsigned" },
    { parents: 1, message: "Change two lines", author: "alice", committer: "you" },
  ]);
  expect(before.map(({ sha }: { sha: string }) => sha)).not.toContain(after[0].sha);
  expect(await lab.get("you", "/contents/other.md")).toMatchObject({ size: 6 });
});

peopleTest("what cannot be merged is refused as GitHub refuses it", async (lab) => {
  await lab.openPull();
  const { head } = await lab.get("you", "/pulls/1");
  expect(await press(lab, "bob")).toMatchObject({ status: 403 });
  expect(await press(lab, "you", { sha: "f".repeat(40) })).toMatchObject({
    status: 409,
    body: { message: "Head branch was modified. Review and try the merge again." },
  });
  await lab.sandbox.commit(lab.repo, "main", { "text.md": "all new\n" });
  for (const merge_method of ["merge", "squash", "rebase"]) {
    expect(await press(lab, "you", { merge_method, sha: head.sha })).toMatchObject({
      status: 405,
      body: { message: "Pull Request is not mergeable" },
    });
  }
  await lab.ask("you", "PATCH", "/pulls/1", { state: "closed" });
  expect((await press(lab, "you")).status).toBe(405);
});

peopleTest(
  "the button obeys the rules of the base, and lets past who may bypass by pull requests",
  async (lab) => {
    await lab.openPull();
    const { sha } = (await lab.get("you", "/pulls/1")).head;
    const id = lab.sandbox.addRuleset(lab.repo, {
      rules: [
        {
          type: "pull_request",
          parameters: {
            required_approving_review_count: 1,
            required_review_thread_resolution: true,
            allowed_merge_methods: ["squash"],
          },
        },
        {
          type: "required_status_checks",
          parameters: {
            required_status_checks: [{ context: "ci" }],
            strict_required_status_checks_policy: true,
          },
        },
      ],
    });
    const says = async (body: object = { merge_method: "squash" }) =>
      (await press(lab, "alice", body)).body.message;
    expect(await says({})).toBe(
      "Repository rule violations found\n\nMerge commits are not allowed on this branch.\n\n" +
        "At least 1 approving review is required by reviewers with write access.\n\n" +
        'Required status check "ci" is expected.\n\n',
    );
    const review = { event: "APPROVE", comments: [{ path: "new.md", line: 1, body: "Hm?" }] };
    await lab.ask("bob", "POST", "/pulls/1/reviews", { event: "APPROVE" });
    expect(await says()).toMatch(/At least 1 approving/);
    await lab.ask("you", "POST", "/pulls/1/reviews", review);
    await lab.ask("you", "POST", `/statuses/${sha}`, { state: "success", context: "ci" });
    await lab.sandbox.commit(lab.repo, "main", { "other.md": "other\n" });
    expect(await says()).toBe(
      "Repository rule violations found\n\nA conversation must be resolved before this pull request can be merged.\n\n" +
        "Head branch is out of date.\n\n",
    );
    const ruleset = lab.sandbox.world.repository(lab.repo)?.rulesets.find((each) => each.id === id);
    const alice = lab.sandbox.world.user("alice")?.id ?? 0;
    ruleset?.bypass.push({ type: "User", id: alice, mode: "pull_request" });
    expect(await press(lab, "alice")).toMatchObject({ status: 200 });
  },
);

peopleTest("a closed pull opens again only while its branch goes on from where it was", async (lab) => {
  await lab.openPull();
  const close = () => lab.ask("alice", "PATCH", "/pulls/1", { state: "closed" });
  const open = () => lab.ask("alice", "PATCH", "/pulls/1", { state: "open" });
  const begin = (await commitsOf(lab))[0].sha;
  await close();
  await lab.sandbox.commit(lab.repo, "agent/x", { "more.md": "more\n" });
  expect((await open()).status).toBe(200);
  expect(await lab.heard()).toEqual([
    "pull_request.closed",
    "pull_request.reopened",
    "pull_request.synchronize",
  ]);
  await close();
  await lab.sandbox.commit(lab.repo, "agent/x", { "x.md": "x\n" }, { parent: begin });
  expect(await open()).toMatchObject({ status: 422, body: { errors: [{ message: /force-pushed/ }] } });
  expect((await lab.ask("you", "PATCH", "/issues/1", { state: "open" })).status).toBe(422);
});
