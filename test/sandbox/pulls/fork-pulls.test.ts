import { join } from "node:path";
import { expect } from "vitest";
import { issueToken } from "../../../src/sandbox/auth/auth.js";
import { addressOf, git } from "../../support/app/sandbox-lab.js";
import { type PeopleLab, peopleTest } from "../../support/app/sandbox-people.js";
import { tempFolder } from "../../support/temp-folder.js";

// biome-ignore lint/suspicious/noExplicitAny: answers are read like GitHub's clients read them
type Body = any;

async function forked(lab: PeopleLab): Promise<string> {
  const fork = await lab.sandbox.addFork(lab.repo, "mallory");
  return `${fork.owner}/${fork.name}`;
}

peopleTest("a fork shares objects, and its pull is found in the base by its number", async (lab) => {
  const fork = await forked(lab);
  const head = await lab.sandbox.commit(fork, "fix", { "fix.md": "fixed\n" });
  await lab.sandbox.openPull(lab.repo, { author: "mallory", head: "mallory:fix", title: "Fix" });
  const folder = tempFolder();
  const address = addressOf(lab.sandbox, lab.repo, lab.sandbox.tokenFor("you"));
  await git(folder, "clone", "--quiet", "--bare", address, "play.git");
  const bare = join(folder, "play.git");
  await git(bare, "fetch", "--quiet", "origin", "refs/pull/1/head");
  expect((await git(bare, "rev-parse", "FETCH_HEAD")).trim()).toBe(head);

  const compared = await lab.get("you", "/compare/main...mallory:fix");
  expect(compared).toMatchObject({ status: "ahead", ahead_by: 1, files: [{ filename: "fix.md" }] });
  expect(await lab.get("you", "/pulls/1")).toMatchObject({
    head: { sha: head, repo: { full_name: fork } },
    maintainer_can_modify: false,
  });
  await git(bare, "push", "--quiet", "origin", `${head}:refs/heads/main`);
  expect(await lab.get("you", "/pulls/1")).toMatchObject({ merged: true, merge_commit_sha: head });
});

peopleTest("an app that is not installed on a fork can read it, and not push to it", async (lab) => {
  const fork = await forked(lab);
  const app = lab.sandbox.state.apps.find(({ slug }) => slug === "koryph");
  const token = issueToken(lab.sandbox.world, "ghs_", {
    ...{ kind: "installation", login: null, app: lab.app.id, permissions: { contents: "write" } },
    ...{ installation: app?.installations[0]?.id ?? 0, repositories: null, expiresAt: null },
  });
  const folder = join(tempFolder(), "clone");
  await git("/", "clone", "--quiet", addressOf(lab.sandbox, fork, token), folder);
  await git(folder, "commit", "--quiet", "--allow-empty", "-m", "mine");
  await expect(git(folder, "push", "origin", "HEAD:fix")).rejects.toThrow(/403/);
});

peopleTest("the repository's activity tells what GitHub received, in pages by cursor", async (lab) => {
  const begin = await lab.get("you", "/git/ref/heads/main");
  await lab.openPull();
  const { sha } = begin.object;
  await lab.sandbox.commit(lab.repo, "agent/x", { "a.md": "a\n" }, { author: "alice" });
  await lab.sandbox.commit(lab.repo, "agent/x", { "b.md": "b\n" }, { author: "bob", parent: sha });
  await lab.ask("you", "PUT", "/pulls/1/merge", {});
  await lab.ask("app", "DELETE", "/git/refs/heads/agent/x");
  const repository = lab.sandbox.world.repository(lab.repo);
  if (repository === null) return expect.fail("it is gone");
  const move = { ref: "refs/koryph/ledger", before: null, after: sha };
  await lab.sandbox.world.moveRefs(repository, { login: "you", app: null, workflows: true }, [move]);

  const types = (list: Body) => list.map((entry: Body) => entry.activity_type);
  const all = await lab.get("you", "/activity");
  expect(types(all)).toEqual([
    ...["branch_deletion", "pr_merge", "force_push", "push", "branch_creation", "branch_creation"],
  ]);
  expect(all[0]).toMatchObject({ ref: "refs/heads/agent/x", actor: { login: "koryph[bot]" } });
  expect(types(await lab.get("you", "/activity?ref=agent/x&direction=asc"))).toEqual([
    ...["branch_creation", "push", "force_push", "branch_deletion"],
  ]);
  expect(types(await lab.get("you", "/activity?actor=bob"))).toEqual(["force_push"]);
  expect(await lab.get("you", "/activity?activity_type=pr_merge&time_period=day")).toHaveLength(1);

  const seen: Body[] = [];
  for (let path: string | undefined = "/activity?per_page=4"; path !== undefined; ) {
    const { body, headers } = await lab.ask("you", "GET", path);
    seen.push(...body);
    path = /<[^>]*(\/activity[^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
  }
  expect(seen).toEqual(all);
  const [squashed] = await lab.get("you", "/commits?sha=main&per_page=1");
  expect(await lab.get("you", `/commits/${squashed.sha}/pulls`)).toMatchObject([{ number: 1 }]);
});

peopleTest("many files and commits come in pages", async (lab) => {
  const files = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`many/${n}.txt`, `${n}\n`]));
  await lab.sandbox.commit(lab.repo, "many", files);
  for (const n of [1, 2]) await lab.sandbox.commit(lab.repo, "many", { "n.md": `${n}\n` });
  await lab.sandbox.openPull(lab.repo, { author: "alice", head: "many", title: "Many" });
  const second = await lab.ask("you", "GET", "/pulls/1/files?per_page=100&page=2");
  expect([second.body.length, second.headers.get("link")]).toEqual([21, expect.stringMatching(/rel="prev"/)]);
  const compared = await lab.ask("you", "GET", "/compare/main...many?per_page=2&page=2");
  expect([compared.body.total_commits, compared.body.commits.length, compared.body.files]).toEqual([
    3,
    1,
    undefined,
  ]);
});
