import { expect, test } from "vitest";
import { APP_KEY, octokitOf, openSandbox } from "../support/app/sandbox-lab.js";
import { longTest } from "../support/long.js";

const REPO = { owner: "you", repo: "play" };

async function played(
  permissions: Record<string, "read" | "write"> = { contents: "write", actions: "write" },
) {
  const sandbox = await openSandbox();
  await sandbox.addRepository({
    ...{ owner: "you", name: "play" },
    files: {
      "docs/a b.md": "# Ünïcode\n",
      "run.sh": "true\n",
      ".github/workflows/koryph.yml": "on: workflow_dispatch\n",
    },
  });
  const app = await sandbox.addApp({ slug: "koryph", privateKey: APP_KEY, permissions, events: [] });
  const octokit = await octokitOf(sandbox, app, sandbox.install(app, ["you/play"]));
  const main = async () => (await octokit.rest.git.getRef({ ...REPO, ref: "heads/main" })).data.object.sha;
  return { sandbox, octokit, main };
}

test("files are read as objects and raw, folders as lists, at any commit", async () => {
  const { sandbox, octokit, main } = await played();
  const before = await main();
  await sandbox.commit("you/play", "main", { "docs/a b.md": "changed\n", "docs/more.md": "more\n" });
  const read = async (path: string, ref?: string) =>
    (await octokit.rest.repos.getContent({ ...REPO, path, ...(ref && { ref }) })).data;
  const file = await read("docs/a b.md", before);
  expect(file).toMatchObject({
    type: "file",
    encoding: "base64",
    name: "a b.md",
    path: "docs/a b.md",
    size: 12,
  });
  expect(Buffer.from("content" in file ? file.content : "", "base64").toString()).toBe("# Ünïcode\n");
  const raw = { mediaType: { format: "raw" } };
  const bytes = await octokit.rest.repos.getContent({ ...REPO, path: "docs/a b.md", ...raw });
  expect(bytes.data).toBe("changed\n");
  expect(await read("docs")).toMatchObject([{ name: "a b.md" }, { name: "more.md" }]);
  expect(await read("")).toMatchObject([
    { name: ".github", type: "dir" },
    { name: "docs" },
    { name: "run.sh" },
  ]);
  await expect(read("nowhere")).rejects.toMatchObject({ status: 404 });
  await expect(read("run.sh", "nowhere")).rejects.toMatchObject({ status: 404 });
});

longTest("refs are made, moved forward only, moved by force, read and deleted", async () => {
  const { sandbox, octokit, main } = await played();
  const { git } = octokit.rest;
  const first = await main();
  const made = await git.createRef({ ...REPO, ref: "refs/heads/feature/x", sha: first });
  expect(made.data).toMatchObject({ ref: "refs/heads/feature/x", object: { sha: first, type: "commit" } });
  const second = await sandbox.commit("you/play", "main", { "run.sh": "false\n" });
  const sibling = await sandbox.commit("you/play", "other", { "b.txt": "b\n" }, { parent: first });
  const move = (sha: string, force?: boolean) =>
    git.updateRef({ ...REPO, ref: "heads/feature/x", sha, ...(force && { force }) });
  await move(second);
  await expect(move(sibling)).rejects.toMatchObject({ status: 422, message: /not a fast forward/ });
  await move(sibling, true);
  await expect(move("1".repeat(40))).rejects.toMatchObject({ status: 422 });
  const again = git.createRef({ ...REPO, ref: "refs/heads/feature/x", sha: first });
  await expect(again).rejects.toMatchObject({ status: 422, message: /already exists/ });
  const pull = git.createRef({ ...REPO, ref: "refs/pull/9/head", sha: first });
  await expect(pull).rejects.toMatchObject({ status: 422 });
  const { data: found } = await git.getRef({ ...REPO, ref: "heads/feature/x" });
  expect([found.ref, found.object.sha]).toEqual(["refs/heads/feature/x", sibling]);
  await git.deleteRef({ ...REPO, ref: "heads/feature/x" });
  await expect(git.getRef({ ...REPO, ref: "heads/feature/x" })).rejects.toMatchObject({ status: 404 });
  await expect(git.deleteRef({ ...REPO, ref: "heads/feature/x" })).rejects.toMatchObject({ status: 422 });
});

test("a rule holds for refs that are moved over the API, and is shown", async () => {
  const { sandbox, octokit, main } = await played();
  const next = await sandbox.commit("you/play", "side", { "b.txt": "b\n" });
  sandbox.addRuleset("you/play", { rules: [{ type: "required_signatures" }] });
  const ci = { required_status_checks: [{ context: "ci" }] };
  const rules = [{ type: "required_status_checks", parameters: ci }];
  sandbox.addRuleset("you/play", { include: ["release/*"], rules });
  const before = await main();
  const move = () => octokit.rest.git.updateRef({ ...REPO, ref: "heads/main", sha: next });
  await expect(move()).rejects.toMatchObject({ status: 422, message: /rule violations[\s\S]*signatures/ });
  expect(await main()).toBe(before);
  const shown = async (branch: string) =>
    (await octokit.rest.repos.getBranchRules({ ...REPO, branch })).data.map(({ type }) => type);
  expect(await shown("main")).toEqual(["required_signatures"]);
  expect(await shown("release/1")).toEqual(["required_status_checks"]);
  expect(await shown("side")).toEqual([]);
  expect((await octokit.rest.repos.getRepoRulesets(REPO)).data).toHaveLength(2);
  const branches = (await octokit.rest.repos.listBranches(REPO)).data;
  expect(branches.map((branch) => [branch.name, branch.protected])).toEqual([
    ["main", true],
    ["side", false],
  ]);
});

longTest("commits are listed, shown with their files, and compared", async () => {
  const { sandbox, octokit, main } = await played();
  const base = await main();
  await sandbox.commit(
    "you/play",
    "topic",
    { "b.txt": "b\n" },
    { author: "alice", message: "Add b\n\nWhy." },
  );
  const head = await sandbox.commit("you/play", "topic", { "run.sh": null }, { author: "bob" });
  const list = (more: object) => octokit.rest.repos.listCommits({ ...REPO, sha: "topic", ...more });
  expect((await list({})).data.map(({ author }) => author?.login)).toEqual(["bob", "alice", "you"]);
  expect((await list({ author: "alice" })).data.map(({ commit }) => commit.message)).toEqual([
    "Add b\n\nWhy.",
  ]);
  expect((await list({ path: "b.txt" })).data).toHaveLength(1);
  const { data } = await octokit.rest.repos.getCommit({ ...REPO, ref: "topic" });
  expect(data).toMatchObject({
    ...{ sha: head, stats: { total: 1, deletions: 1 }, files: [{ filename: "run.sh", status: "removed" }] },
    commit: { verification: { verified: false, reason: "unsigned" } },
  });
  const compare = async (basehead: string) =>
    (await octokit.rest.repos.compareCommitsWithBasehead({ ...REPO, basehead })).data;
  expect(await compare("main...topic")).toMatchObject({
    ...{ status: "ahead", ahead_by: 2, behind_by: 0, merge_base_commit: { sha: base } },
    files: [{ filename: "b.txt" }, { filename: "run.sh" }],
  });
  await sandbox.commit("you/play", "main", { "c.txt": "c\n" });
  expect(await compare("main...topic")).toMatchObject({ status: "diverged", ahead_by: 2, behind_by: 1 });
  expect(await compare(`main...${base}`)).toMatchObject({ status: "behind", behind_by: 1 });
  expect((await octokit.rest.repos.getBranch({ ...REPO, branch: "topic" })).data.commit.sha).toBe(head);
});

test("a workflow that is there can be started, and its inputs are kept", async () => {
  const { sandbox, octokit } = await played();
  const start = (workflow_id: string, ref = "main") =>
    octokit.rest.actions.createWorkflowDispatch({ ...REPO, workflow_id, ref, inputs: { task: "review" } });
  await start("koryph.yml");
  expect(sandbox.state.repositories[0]?.dispatches).toMatchObject([
    { kind: "workflow", name: "koryph.yml", ref: "main", inputs: { task: "review" }, actor: "koryph[bot]" },
  ]);
  await expect(start("other.yml")).rejects.toMatchObject({ status: 404 });
  await expect(start("koryph.yml", "nowhere")).rejects.toMatchObject({ status: 422 });
});

test("what an app may not do is not accessible to it", async () => {
  const { octokit, main } = await played({ contents: "read" });
  const sha = await main();
  const made = octokit.rest.git.createRef({ ...REPO, ref: "refs/heads/x", sha });
  await expect(made).rejects.toMatchObject({ status: 403, message: /not accessible by integration/ });
  await expect(octokit.rest.pulls.list(REPO)).rejects.toMatchObject({ status: 403 });
  expect((await octokit.rest.rateLimit.get()).data.rate).toMatchObject({
    limit: 5000,
    used: expect.any(Number),
  });
});
