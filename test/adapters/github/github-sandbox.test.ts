import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runGit } from "../../../src/adapters/git/exec/run-git.js";
import { type GithubApp, githubApp } from "../../../src/adapters/github/app-client.js";
import { AppDirectory } from "../../../src/adapters/github/app-directory.js";
import { GitCredentials } from "../../../src/adapters/github/git-credentials.js";
import { GithubPulls } from "../../../src/adapters/github/github-pulls.js";
import { GithubThreads } from "../../../src/adapters/github/github-threads.js";
import { HookDeliveries } from "../../../src/adapters/github/hook-deliveries.js";
import { readOpenPulls } from "../../../src/adapters/github/open-pulls.js";
import { GithubPullRecord } from "../../../src/adapters/github/pulls/github-pull-record.js";
import { tokenClient } from "../../../src/adapters/github/token-client.js";
import { startRecovery } from "../../../src/app/recovery/recovery.js";
import type { CommentRef } from "../../../src/core/model/thread.js";
import { statusMarker } from "../../../src/core/replies/land/pull/status-comment.js";
import type { NewJob } from "../../../src/ports/inbox.js";
import { type Sandbox, startSandbox } from "../../../src/sandbox/sandbox.js";
import { comment, openIssue, review } from "../../../src/sandbox/world/people.js";
import { tempFolder } from "../../support/temp-folder.js";

const PERMISSIONS = { metadata: "read", contents: "write", issues: "write", pull_requests: "write" } as const;

let github: Sandbox;
let app: GithubApp;
let installation: number;
let threads: GithubThreads;
let pull: number;

beforeAll(async () => {
  github = await startSandbox();
  github.addUser("alice");
  await github.addRepository({ owner: "alice", name: "r", files: { "a.txt": "one\n", "dir/b.txt": "b" } });
  await github.addRepository({ owner: "alice", name: "other" });
  github.addUser("bob");
  github.setRole("alice/r", "bob", "maintain");
  const keys = await github.addApp({
    slug: "koryph",
    permissions: PERMISSIONS,
    events: ["issue_comment"],
    webhookUrl: "http://127.0.0.1:9/",
  });
  installation = github.install(keys, ["alice/r", "alice/other"]);
  app = githubApp({
    ...{ appId: keys.id, privateKey: keys.privateKey, secret: keys.webhookSecret },
    ...{ apiUrl: github.url, serverUrl: github.url, log: pino({ level: "silent" }) },
  });
  const self = await new AppDirectory(app).identity();
  threads = new GithubThreads(app, { installation, repository: "alice/r" }, self);
  await github.commit("alice/r", "agent/gh-1", { "a.txt": "two\n" }, { author: "alice" });
  ({ number: pull } = await github.openPull("alice/r", {
    author: "alice",
    head: "agent/gh-1",
    title: "work",
  }));
});
afterAll(async () => {
  await github.close();
  expect(github.problems).toEqual([]);
});

const refTo = (kind: CommentRef["kind"], id: number, number = pull): CommentRef => ({
  ...{ kind, id, thread: { repository: "alice/r", number, kind: "pull" } },
});

describe("on a GitHub", () => {
  test("a pull request is opened once for its branch, found, changed, closed and tidied up after", async () => {
    const person = await tokenClient({ apiUrl: github.url, token: github.tokenFor("alice") });
    const pulls = new GithubPulls(async () => person, "alice/r");
    const head = await github.commit("alice/r", "agent/gh-9", { "c.txt": "c\n" }, { author: "alice" });
    const wanted = { branch: "agent/gh-9", base: "main", title: "feat: c", body: "gh-9" };
    expect(await pulls.findByBranch("agent/gh-9")).toBeNull();
    const opened = await pulls.open(wanted);
    if (opened.kind === "refused") throw new Error(opened.why);
    expect(opened.pull).toMatchObject({
      state: "open",
      draft: false,
      merged: null,
      title: "feat: c",
      author: { login: "alice", isBot: false },
      head: { branch: "agent/gh-9", sha: head, fork: false },
      base: { branch: "main" },
    });
    const { number } = opened.pull;
    expect(await pulls.open({ ...wanted, body: "gh-9, again" })).toMatchObject({
      kind: "open",
      pull: { number, body: "gh-9, again" },
    });
    const none = { kind: "refused", why: expect.stringMatching(/Validation Failed/) };
    expect(await pulls.open({ ...wanted, branch: "agent/not-there" })).toEqual(none);
    expect((await pulls.listOpen()).map((each) => each.number)).toContain(number);
    await pulls.close(number);
    await pulls.close(number);
    expect(await pulls.read(number)).toMatchObject({ state: "closed", merged: null });
    expect(await pulls.findByBranch("agent/gh-9")).toMatchObject({ number, state: "closed" });
    expect(await pulls.deleteBranch("agent/gh-9", "0".repeat(40))).toBe("moved");
    expect(await pulls.deleteBranch("agent/gh-9", head)).toBe("gone");
    expect(await pulls.deleteBranch("agent/gh-9", head)).toBe("gone");
    expect(await pulls.read(9_999)).toBeNull();
  });

  test("the release of an issue is judged; a number that is none has none", async () => {
    const issue = await openIssue(github.world, "alice/r", "alice", { title: "please" });
    const label = "koryph:release";
    const none = { kind: "withheld", why: { code: "no_release_label", label } };
    expect(await threads.release(issue, label)).toEqual(none);
    await fetch(`${github.url}/repos/alice/r/issues/${issue}/labels`, {
      method: "POST",
      headers: { authorization: `Bearer ${github.tokenFor("alice")}` },
      body: JSON.stringify({ labels: [label] }),
    });
    expect(await threads.release(issue, label)).toMatchObject({ kind: "released", by: "alice" });
    expect(await threads.release(9_999, label)).toBeNull();
  });

  test("the status comment is found and edited whichever koryph wrote it, and a stranger's is none", async () => {
    const issue = await openIssue(github.world, "alice/r", "alice", { title: "please" });
    github.addUser("eve");
    const marker = statusMarker(issue);
    await comment(github.world, "alice/r", issue, "eve", `${marker} landed, believe me`);
    expect(await threads.findStatus(issue)).toBeNull();
    const engines = await comment(github.world, "alice/r", issue, "alice", `${marker} at work`);
    expect(await threads.findStatus(issue)).toBe(engines);
    expect(await threads.edit(engines, `${marker} blocked`)).toBe("edited");
  });

  test("a comment is read, reacted to, answered once and found again", async () => {
    const since = new Date(Date.now() - 60_000).toISOString();
    const issue = await openIssue(github.world, "alice/r", "alice", { title: "please" });
    const id = await comment(github.world, "alice/r", issue, "alice", "/koryph status");
    expect(await threads.read(refTo("comment", id, issue))).toMatchObject({
      body: "/koryph status",
      author: { login: "alice", type: "User" },
      viaApp: null,
    });
    expect(await (await threads.read(refTo("comment", id, issue)))?.edited()).toBe(false);
    await threads.react(refTo("comment", id, issue), "eyes");
    await threads.react(refTo("comment", id, issue), "eyes");
    const reply = await threads.say(issue, "<!-- koryph:1 --> hello");
    expect(await threads.edit(reply ?? 0, "<!-- koryph:1 --> bye")).toBe("edited");
    expect(await threads.findOwn(issue, since, "<!-- koryph:1 -->")).toBe(reply);
    expect(await threads.findOwn(issue, since, "<!-- koryph:2 -->")).toBeNull();
    expect(await threads.read(refTo("comment", reply ?? 0, issue))).toMatchObject({
      author: { login: "koryph[bot]", type: "Bot" },
      viaApp: expect.any(Number),
    });
    expect(await threads.read(refTo("comment", 999_999, issue))).toBeNull();
    const seen = github.world.repository("alice/r")?.issues.find(({ number }) => number === issue);
    expect(seen?.comments.map(({ body, reactions }) => [body, reactions.length])).toEqual([
      ["/koryph status", 1],
      ["<!-- koryph:1 --> bye", 0],
    ]);
  });

  test("a review is read and reacted to", async () => {
    const id = await review(github.world, "alice/r", pull, "alice", {
      body: "/koryph why",
      state: "COMMENTED",
    });
    expect(await threads.read(refTo("review", id))).toMatchObject({ body: "/koryph why" });
    await threads.react(refTo("review", id), "rocket");
    const seen = github.world.repository("alice/r")?.reviews.find((each) => each.id === id);
    expect(seen?.reactions.map(({ content }) => content)).toEqual(["rocket"]);
  });

  test("of many reviews all that give a verdict are read, with whether their authors may push", async () => {
    for (const login of ["mallory", "walter"]) github.addUser(login);
    github.setRole("alice/r", "walter", "write");
    const says = (login: string, state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED") =>
      review(github.world, "alice/r", pull, login, { body: "So.", state });
    await says("walter", "CHANGES_REQUESTED");
    for (let more = 0; more < 101; more += 1) await says("mallory", "APPROVED");
    await says("bob", "COMMENTED");
    const record = new GithubPullRecord(() => app.asInstallation(installation), "alice/r");
    const verdicts = (await record.verdicts(pull)) ?? [];
    expect(verdicts).toHaveLength(102);
    const head = (await threads.head(pull))?.sha;
    expect(verdicts[0]).toMatchObject({
      by: { id: github.world.user("walter")?.id, login: "walter", type: "User" },
      ...{ mayPush: true, state: "changes-requested", head, submittedAt: expect.stringMatching(/Z$/) },
    });
    expect(verdicts.at(-1)).toMatchObject({ by: { login: "mallory" }, mayPush: false, state: "approved" });
  });

  test("roles, heads and files are what they are", async () => {
    expect([await threads.role("bob"), await threads.role("nobody-there")]).toEqual(["maintain", "none"]);
    expect(await threads.head(pull)).toMatchObject({ branch: "agent/gh-1", fork: false });
    expect(await threads.head(99)).toBeNull();
    expect([await threads.file("a.txt"), await threads.file("a.txt")]).toEqual(["one\n", "one\n"]);
    expect(await threads.file("none.txt")).toBeNull();
    await expect(threads.file("dir")).rejects.toThrow("a folder");
    expect(await threads.repositoryId()).toBe(github.world.repository("alice/r")?.id);
  });

  test("the App knows where it is installed", async () => {
    const directory = new AppDirectory(app);
    expect(await directory.installations()).toEqual([installation]);
    expect(await directory.installationOf("alice", "r")).toBe(installation);
    expect(await directory.installationOf("alice", "none")).toBeNull();
    const found = await directory.repositoriesOf(installation);
    expect([...found].sort()).toEqual(["alice/other", "alice/r"]);
  });

  test("git may read and write the one repository, and no other", async () => {
    const folder = tempFolder();
    const env = {
      ...(await new GitCredentials(app).env(installation, "alice/r")),
      ...{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    };
    const clone = await runGit(folder, ["clone", "-q", `${github.url}/alice/r.git`, "clone"], { env });
    expect(clone).toMatchObject({ code: 0 });
    const push = ["push", "-q", "origin", "HEAD:refs/koryph/try"];
    expect(await runGit(`${folder}/clone`, push, { env })).toMatchObject({ code: 0 });
    const elsewhere = ["push", "-q", `${github.url}/alice/other.git`, "HEAD:refs/koryph/try"];
    expect((await runGit(`${folder}/clone`, elsewhere, { env })).code).not.toBe(0);
  });

  test("open pull requests are swept with one request", async () => {
    const id = await comment(github.world, "alice/r", pull, "alice", "/koryph why");
    const before = github.requests.length;
    const [found] = await readOpenPulls(app, { installation, repository: "alice/r" }, 0);
    expect(github.requests.length - before).toBe(1);
    expect(found?.branch).toBe("agent/gh-1");
    expect(found?.repositoryId).toBe(github.world.repository("alice/r")?.id);
    expect(found?.texts.find((text) => text.id === id)).toMatchObject({
      kind: "comment",
      body: "/koryph why",
    });
  });

  test("recovery asks for what failed, and finds what got lost", async () => {
    await github.settled();
    github.faults.add({ webhooks: "lost", times: 1 });
    const lost = await comment(github.world, "alice/r", pull, "alice", "/koryph help");
    const failed = await comment(github.world, "alice/r", pull, "alice", "/koryph status");
    await github.settled();
    const owed = await new HookDeliveries(app).since(0);
    expect(owed.every(({ statusCode }) => statusCode !== 202)).toBe(true);

    const jobs = new Map<string, NewJob>();
    const asked = new Map<string, number>();
    const sweeps: string[] = [];
    const troubles: unknown[] = [];
    const recovery = startRecovery({
      sweep: async () => {},
      app,
      inbox: {
        has: async (id) => jobs.has(id),
        add: async (job) => {
          jobs.set(job.id, job);
          return "added";
        },
      },
      memory: {
        asked: async (guid) => asked.get(guid) ?? 0,
        noteAsked: async (guid) => void asked.set(guid, 1),
        lastSweep: async () => null,
        noteSweep: async (name) => void sweeps.push(name),
        handled: async () => false,
        bornAt: async () => 0,
      },
      onAdded: () => {},
      now: Date.now,
      log: { info: () => {}, warn: (facts: unknown) => troubles.push(facts) },
    });
    const swept = (id: number) => jobs.has(`koryph.comment comment ${id}`);
    await expect.poll(() => swept(lost) && swept(failed), { timeout: 10_000, interval: 10 }).toBe(true);
    await recovery.stop();
    await github.settled();
    expect([new Set(asked.keys()), sweeps, troubles]).toEqual([
      new Set(owed.map(({ guid }) => guid)),
      ["deliveries"],
      [],
    ]);
  });
});
