import { expect, test } from "vitest";
import type { Sandbox } from "../../../src/sandbox/sandbox.js";
import { APP_KEY, octokitOf, openReceiver, openSandbox } from "../../support/app/sandbox-lab.js";

const REPO = { owner: "you", repo: "play" };

async function played() {
  const sandbox = await openSandbox();
  const { url, received } = await openReceiver();
  await sandbox.addRepository({ owner: "you", name: "play", files: { "a.txt": "one\n", "b.txt": "b\n" } });
  const app = await sandbox.addApp({
    slug: "koryph",
    privateKey: APP_KEY,
    permissions: { contents: "write", pull_requests: "write" },
    events: ["pull_request"],
    webhookUrl: url,
  });
  const installation = sandbox.install(app, ["you/play"]);
  const octokit = await octokitOf(sandbox, app, installation);
  /** Actions of the pull_request events so far. */
  const told = async () => {
    await sandbox.settled();
    return received
      .filter(({ headers }) => headers["x-github-event"] === "pull_request")
      .map((each) => each.payload);
  };
  const actions = async () => (await told()).map(({ action }) => action);
  const get = async (pull_number = 1) => (await octokit.rest.pulls.get({ ...REPO, pull_number })).data;
  return { sandbox, octokit, told, actions, get };
}

/** A pull request with a changed, a new and a renamed file in two commits. */
async function propose(sandbox: Sandbox): Promise<string> {
  await sandbox.commit("you/play", "topic", { "a.txt": "one\ntwo\n", "c.txt": "c\n" }, { author: "alice" });
  const by = { author: "alice", message: "Rename" };
  const head = await sandbox.commit("you/play", "topic", { "b.txt": null, "d.txt": "b\n" }, by);
  await sandbox.openPull("you/play", { author: "alice", head: "topic", title: "Topic", body: "Please." });
  return head;
}

test("commits, files and numbers of a pull come from git", async () => {
  const { sandbox, octokit, get } = await played();
  const head = await propose(sandbox);
  expect(await get()).toMatchObject({
    ...{ number: 1, state: "open", title: "Topic", merged: false, draft: false, user: { login: "alice" } },
    ...{ commits: 2, additions: 2, deletions: 0, changed_files: 3, body: "Please." },
    head: { ref: "topic", sha: head, label: "you:topic" },
    base: { ref: "main", repo: { full_name: "you/play" } },
  });
  const files = (await octokit.rest.pulls.listFiles({ ...REPO, pull_number: 1 })).data;
  expect(files.map(({ filename, status, patch }) => ({ filename, status, patch }))).toEqual([
    { filename: "a.txt", status: "modified", patch: "@@ -1 +1,2 @@\n one\n+two" },
    { filename: "c.txt", status: "added", patch: "@@ -0,0 +1 @@\n+c" },
    { filename: "d.txt", status: "renamed", patch: undefined },
  ]);
  expect(files[2]?.previous_filename).toBe("b.txt");
  const commits = (await octokit.rest.pulls.listCommits({ ...REPO, pull_number: 1 })).data;
  expect(commits.map(({ commit, author }) => [commit.message, author?.login])).toEqual([
    ["Change", "alice"],
    ["Rename", "alice"],
  ]);
  const those = await octokit.rest.repos.listPullRequestsAssociatedWithCommit({ ...REPO, commit_sha: head });
  expect(those.data.map(({ number }) => number)).toEqual([1]);
});

test("whether it can be merged is known at the second question after a push", async () => {
  const { sandbox, get } = await played();
  await propose(sandbox);
  expect(await get()).toMatchObject({ mergeable: null, mergeable_state: "unknown" });
  expect(await get()).toMatchObject({ mergeable: true, mergeable_state: "clean" });
  await sandbox.commit("you/play", "main", { "a.txt": "other\n" });
  expect((await get()).mergeable).toBe(null);
  expect(await get()).toMatchObject({ mergeable: false, mergeable_state: "dirty" });
});

test("a pull is merged when its head becomes reachable from its base", async () => {
  const { sandbox, octokit, told, get } = await played();
  const head = await propose(sandbox);
  const unmerged = octokit.rest.pulls.checkIfMerged({ ...REPO, pull_number: 1 });
  await expect(unmerged).rejects.toMatchObject({ status: 404 });
  await octokit.rest.git.updateRef({ ...REPO, ref: "heads/main", sha: head });
  expect(await get()).toMatchObject({
    ...{ state: "closed", merged: true, merged_by: { login: "koryph[bot]" }, merge_commit_sha: head },
    ...{ commits: 2, changed_files: 3 },
  });
  expect((await octokit.rest.pulls.checkIfMerged({ ...REPO, pull_number: 1 })).status).toBe(204);
  const news = await told();
  expect(news.map(({ action }) => action)).toEqual(["opened", "closed"]);
  expect(news[1]).toMatchObject({ pull_request: { merged: true }, sender: { login: "koryph[bot]" } });
});

test("landing a branch merges every pull whose head is an ancestor", async () => {
  const { sandbox, get } = await played();
  await propose(sandbox);
  const head = await sandbox.commit(
    "you/play",
    "topic-2",
    { "e.txt": "e\n" },
    {
      parent: (await get()).head.sha,
    },
  );
  await sandbox.openPull("you/play", { author: "you", head: "topic-2", title: "On top" });
  const repository = sandbox.world.repository("you/play");
  const mover = { login: "you", app: null, workflows: true };
  const move = { ref: "refs/heads/main", before: null, after: head };
  expect(repository && (await sandbox.world.moveRefs(repository, mover, [move]))).toEqual([]);
  expect([(await get(1)).merged, (await get(2)).merged]).toEqual([true, true]);
});

test("a pushed head is told with what it was before; a head put back to its base ends the pull unmerged", async () => {
  const { sandbox, octokit, told, get } = await played();
  const before = await propose(sandbox);
  const after = await sandbox.commit("you/play", "topic", { "a.txt": "three\n" }, { author: "alice" });
  expect((await told()).at(-1)).toMatchObject({ action: "synchronize", before, after, number: 1 });
  expect((await get()).head.sha).toBe(after);
  const main = (await octokit.rest.git.getRef({ ...REPO, ref: "heads/main" })).data.object.sha;
  await octokit.rest.git.updateRef({ ...REPO, ref: "heads/topic", sha: main, force: true });
  expect(await get()).toMatchObject({ state: "closed", merged: false });
});

test("a deleted head branch closes its pull, which keeps its head", async () => {
  const { sandbox, octokit, actions, get } = await played();
  const head = await propose(sandbox);
  await octokit.rest.git.deleteRef({ ...REPO, ref: "heads/topic" });
  expect(await get()).toMatchObject({ state: "closed", merged: false, head: { sha: head }, commits: 2 });
  expect(await actions()).toEqual(["opened", "closed"]);
});

test("a fork's pull brings its commits along, and follows its branch", async () => {
  const { sandbox, told, get } = await played();
  await sandbox.addFork("you/play", "mallory");
  const first = await sandbox.commit("mallory/play", "fix", { "a.txt": "fixed\n" });
  await sandbox.openPull("you/play", { author: "mallory", head: "mallory:fix", title: "Fix" });
  expect(await get()).toMatchObject({
    head: { sha: first, label: "mallory:fix", repo: { full_name: "mallory/play", fork: true } },
    ...{ commits: 1, changed_files: 1 },
  });
  const second = await sandbox.commit("mallory/play", "fix", { "a.txt": "fixed better\n" });
  expect((await told()).at(-1)).toMatchObject({ action: "synchronize", after: second });
  const repository = sandbox.world.repository("you/play");
  expect(repository && (await sandbox.world.resolve(repository, "refs/pull/1/head"))).toBe(second);
});

test("a pull is opened, listed, renamed, closed and opened again over the API", async () => {
  const { sandbox, octokit, actions, told } = await played();
  await sandbox.commit("you/play", "topic", { "c.txt": "c\n" });
  const make = { ...REPO, head: "topic", base: "main", title: "Topic" };
  const { data } = await octokit.rest.pulls.create({ ...make, draft: true });
  expect(data).toMatchObject({ number: 1, draft: true, user: { login: "koryph[bot]" } });
  await expect(octokit.rest.pulls.create(make)).rejects.toMatchObject({ status: 422 });
  const wrong = octokit.rest.pulls.create({ ...make, head: "nowhere" });
  await expect(wrong).rejects.toMatchObject({ status: 422 });
  const nothing = octokit.rest.pulls.create({ ...make, head: "main", base: "topic" });
  await expect(nothing).rejects.toThrow(/No commits between/);
  const listed = await octokit.rest.pulls.list({ ...REPO, head: "you:topic", base: "main", state: "all" });
  expect(listed.data.map(({ number }) => number)).toEqual([1]);
  await octokit.rest.pulls.update({ ...REPO, pull_number: 1, title: "Better" });
  expect((await told()).at(-1)).toMatchObject({ action: "edited", changes: { title: { from: "Topic" } } });
  await octokit.rest.pulls.update({ ...REPO, pull_number: 1, state: "closed" });
  expect((await octokit.rest.pulls.list(REPO)).data).toEqual([]);
  await octokit.rest.pulls.update({ ...REPO, pull_number: 1, state: "open" });
  expect(await actions()).toEqual(["opened", "edited", "closed", "reopened"]);
});
