import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { UserError } from "../../../../src/lib/user-error.js";
import { AGENT, CloneWorld, commit, git, put, read } from "../../../support/engine/clone-world.js";
import { longTest } from "../../../support/long.js";
import { tempFolder } from "../../../support/temp-folder.js";

const HOOKS_AND_FILES = { "hooks.txt": "x\n" };

test("fetch names the remote's default branch and its commit", async () => {
  const world = new CloneWorld();
  expect(await world.clones.fetch()).toEqual({
    defaultBranch: "main",
    receipts: null,
    base: git(world.operator, "rev-parse", "HEAD"),
  });
});

test("fetch follows the default branch, also when it is rewritten", async () => {
  const world = new CloneWorld();
  await world.clones.fetch();
  git(world.operator, "commit", "--quiet", "--amend", "-m", "other");
  git(world.operator, "push", "--quiet", "--force", "origin", "main");
  expect((await world.clones.fetch()).base).toBe(git(world.operator, "rev-parse", "HEAD"));
});

test("a repository without a remote is its own remote, and its checkout is left alone", async () => {
  const world = new CloneWorld();
  git(world.operator, "remote", "remove", "origin");
  put(world.operator, { "README.md": "dirty\n" });
  const clones = world.open({ home: join(world.top, "other") });
  const { base } = await clones.fetch();
  await clones.prepare({ bead: "b-1", start: "fresh", bootstrap: [], folder: world.run("b-1") });
  commit(clones.pathOf("b-1"), "work", { "x.txt": "x\n" });
  await clones.collect("b-1");
  await clones.checkpoint("b-1");
  expect(base).toBe(git(world.operator, "rev-parse", "HEAD"));
  expect(git(world.operator, "status", "--porcelain")).toBe(" M README.md");
  expect(git(world.operator, "rev-parse", "refs/koryph/wip/b-1")).toBe(
    git(clones.pathOf("b-1"), "rev-parse", "HEAD"),
  );
});

test("a remote whose HEAD points nowhere falls back to main, whatever is checked out", async () => {
  const world = new CloneWorld();
  git(world.remote, "symbolic-ref", "HEAD", "refs/heads/nothing");
  git(world.operator, "checkout", "--quiet", "-b", "feature");
  git(world.operator, "push", "--quiet", "origin", "feature");
  expect((await world.clones.fetch()).defaultBranch).toBe("main");
});

test("the project file's default branch comes before the remote's HEAD", async () => {
  const world = new CloneWorld();
  git(world.operator, "push", "--quiet", "origin", "main:develop");
  const fetched = await world.open({ defaultBranch: "develop" }).fetch();
  expect(fetched).toEqual({
    defaultBranch: "develop",
    base: git(world.operator, "rev-parse", "main"),
    receipts: null,
  });
});

test("a remote given as a relative path is found from the operator's repository", async () => {
  const world = new CloneWorld();
  git(world.operator, "remote", "set-url", "origin", "../remote.git");
  expect((await world.clones.fetch()).defaultBranch).toBe("main");
});

test.each<{ name: string; given: (world: CloneWorld) => void; says: RegExp }>([
  {
    name: "a repository without a commit",
    given: (world) => {
      git(world.remote, "update-ref", "-d", "refs/heads/main");
    },
    says: /has no commit/,
  },
  {
    name: "a remote that is not there",
    given: (world) => git(world.operator, "remote", "set-url", "origin", "/nonexistent.git"),
    says: /cannot be read: fatal: '\/nonexistent.git'/,
  },
  {
    name: "a remote of another name",
    given: (world) => git(world.operator, "remote", "rename", "origin", "upstream"),
    says: /none called origin/,
  },
])("$name is an error the operator can act on", async ({ given, says }) => {
  const world = new CloneWorld();
  given(world);
  const error = await world.clones.fetch().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UserError);
  expect(error).toMatchObject({ message: expect.stringMatching(says) });
});

test("the password in a remote's address is not repeated in an error", async () => {
  const world = new CloneWorld();
  git(world.operator, "remote", "set-url", "origin", "http://me:hunter2@127.0.0.1:1/x.git");
  const error = await world.clones.fetch().catch((thrown: unknown) => thrown);
  expect((error as Error).message).toContain("127.0.0.1:1");
  expect((error as Error).message).not.toContain("hunter2");
});

test("credentials that a checkout keeps in its own configuration reach the remote by environment", async () => {
  const world = new CloneWorld();
  const { openRemote } = await import("../../../../src/adapters/git/remote/remote.js");
  git(world.operator, "config", "http.https://example.com/.extraheader", "AUTHORIZATION: basic abc");
  git(world.operator, "config", "user.name", "not passed on");
  expect((await openRemote(world.operator, "origin")).env).toMatchObject({
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "http.https://example.com/.extraheader",
    GIT_CONFIG_VALUE_0: "AUTHORIZATION: basic abc",
  });
});

test("a fresh clone is on the bead's branch at the default branch, clean, with tags and identity", async () => {
  const world = new CloneWorld();
  git(world.operator, "tag", "-a", "v1", "-m", "one");
  git(world.operator, "push", "--quiet", "origin", "v1");
  const prepared = await world.prepare("b-1");
  const base = git(world.operator, "rev-parse", "HEAD");
  const path = world.clones.pathOf("b-1");
  expect(prepared).toEqual({
    kind: "ready",
    conflict: false,
    leftover: "none",
    facts: { path, base, head: base, commits: 0 },
  });
  expect(git(path, "status", "--porcelain", "--branch")).toBe("## agent/b-1");
  expect(git(path, "log", "-1", "--format=%H", "origin/HEAD")).toBe(base);
  expect(git(path, "describe")).toBe("v1");
  expect(git(path, "config", "user.email")).toBe(AGENT.email);
  expect(git(path, "fsck")).toBe("");
  expect(await world.clones.state("b-1")).toBe("ready");
});

longTest("an agent's push goes nowhere, and its fetch brings the default branch only", async () => {
  const world = await CloneWorld.fetched();
  const other = await world.ready("b-2");
  commit(other, "secret", HOOKS_AND_FILES);
  await world.clones.collect("b-2");
  const path = await world.ready("b-1");
  expect(() => git(path, "push", "origin", "HEAD")).toThrow(/do-not-push/);
  expect(() => git(path, "push", world.repo, "HEAD:refs/heads/main")).toThrow(/hidden ref/);
  const base = await world.moveBase({ "b.txt": "b\n" });
  git(path, "fetch", "--quiet", "origin");
  expect(git(path, "rev-parse", "origin/main")).toBe(base);
  expect(git(path, "ls-remote", "origin")).not.toContain("agent/b-2");
});

test("collect brings the agent's commits and says whether anything is uncommitted", async () => {
  const world = await CloneWorld.fetched();
  const path = await world.ready("b-1");
  expect(await world.clones.collect("b-1")).toMatchObject({ commits: 0, dirty: false, findings: [] });
  const began = git(path, "rev-parse", "HEAD");
  const head = commit(path, "work", { "src/b.txt": "b\n" });
  const clean = { head, began, commits: 1, dirty: false, findings: [] };
  expect(await world.clones.collect("b-1")).toEqual(clean);
  expect(git(world.repo, "rev-parse", "agent/b-1")).toBe(head);
  expect(git(world.repo, "log", "-1", "--format=%an", "agent/b-1")).toBe("Ann");
});

test.each<{ name: string; given: (path: string) => void; dirty: boolean }>([
  { name: "an edited file", given: (path) => put(path, { "src/a.txt": "b\n" }), dirty: true },
  { name: "an untracked file", given: (path) => put(path, { "new.txt": "b\n" }), dirty: true },
  { name: "a deleted file", given: (path) => git(path, "rm", "--quiet", "src/a.txt"), dirty: true },
  { name: "a changed mode", given: (path) => chmodSync(join(path, "src/a.txt"), 0o755), dirty: true },
  { name: "a link in place of a file", given: relink, dirty: true },
  { name: "a repository within", given: (path) => git(path, "init", "--quiet", "inner"), dirty: true },
  { name: "an ignored file", given: (path) => put(path, { "ignored/x": "b\n" }), dirty: false },
  { name: "a file rewritten as it was", given: (path) => put(path, { "src/a.txt": "a\n" }), dirty: false },
  { name: "something only staged away in the clone's index", given: emptyIndex, dirty: false },
  { name: "a file the clone's own exclude hides", given: hide, dirty: true },
])("$name is dirty: $dirty", async ({ given, dirty }) => {
  const world = await CloneWorld.fetched();
  const path = await world.ready("b-1");
  given(path);
  expect((await world.clones.collect("b-1")).dirty).toBe(dirty);
  expect(await world.clones.remove("b-1")).toBe(dirty ? "kept-dirty" : "removed");
  expect(existsSync(path)).toBe(dirty);
});

function relink(path: string): void {
  git(path, "rm", "--quiet", "src/a.txt");
  mkdirSync(join(path, "src"), { recursive: true });
  symlinkSync("../README.md", join(path, "src/a.txt"));
}

function emptyIndex(path: string): void {
  git(path, "rm", "--quiet", "--cached", "-r", ".");
}

function hide(path: string): void {
  writeFileSync(join(path, ".git/info/exclude"), "*\n");
  put(path, { "hidden.txt": "work\n" });
}

test("collect, state and remove say so when there is nothing", async () => {
  const world = new CloneWorld();
  expect(await world.clones.collect("b-1")).toMatchObject({
    head: null,
    commits: 0,
    dirty: false,
    findings: [],
  });
  expect(await world.clones.state("b-1")).toBe("absent");
  expect(await world.clones.remove("b-1")).toBe("absent");
});

test("remove takes commits that were never collected into repo.git first", async () => {
  const world = await CloneWorld.fetched();
  const head = commit(await world.ready("b-1"), "work", { "x.txt": "x\n" });
  expect(await world.clones.remove("b-1")).toBe("removed");
  expect(await world.clones.collect("b-1")).toMatchObject({ head, commits: 1, dirty: false });
});

test("commits that the agent packed are collected all the same", async () => {
  const world = await CloneWorld.fetched();
  const path = await world.ready("b-1");
  commit(path, "one", { "x.txt": "x\n" });
  const head = commit(path, "two", { "x.txt": "y\n" });
  git(path, "gc", "--quiet", "--prune=now");
  git(path, "pack-refs", "--all");
  expect(await world.clones.collect("b-1")).toMatchObject({ head, commits: 2, findings: [] });
});

test("a fresh start keeps an earlier attempt's commits as a ref and its other work as a patch", async () => {
  const world = await CloneWorld.fetched();
  const path = await world.ready("b-1");
  const old = commit(path, "work", { "x.txt": "x\n" });
  put(path, { "x.txt": "changed\n", "new/untracked.bin": "a\0b\xff\n" });
  const prepared = await world.prepare("b-1");
  expect(prepared).toMatchObject({ kind: "ready", leftover: "none", facts: { commits: 0 } });
  expect(existsSync(join(path, "x.txt"))).toBe(false);
  expect(git(world.repo, "rev-parse", "refs/koryph/old/b-1/1")).toBe(old);
  const [patch = ""] = readdirSync(world.run("b-1")).filter((name) => name.endsWith(".patch"));
  const check = join(world.top, "check");
  git(world.top, "clone", "--quiet", world.repo, check);
  git(check, "fetch", "--quiet", path, "HEAD");
  git(check, "checkout", "--quiet", old);
  git(check, "apply", join(world.run("b-1"), patch));
  expect(read(check, "x.txt")).toBe("changed\n");
  expect(read(check, "new/untracked.bin")).toBe("a\0b\xff\n");
});

test("work that was in no commit is there for the next attempt, however that starts", async () => {
  const world = await CloneWorld.fetched();
  const path = await world.ready("b-1");
  put(path, { "src/a.txt": "mine\n", "new/b.txt": "b\n" });
  const offered = { kind: "ready", conflict: false, leftover: "there", facts: { commits: 0 } };
  expect(await world.prepare("b-1", "resume")).toMatchObject(offered);
  await world.moveBase({ "other.txt": "theirs\n" });
  expect(await world.prepare("b-1", "resume")).toMatchObject(offered);
  expect(await world.prepare("b-1")).toMatchObject(offered);
  expect(read(path, "src/a.txt") + read(path, "new/b.txt") + read(path, "other.txt")).toBe(
    "mine\nb\ntheirs\n",
  );
  git(path, "checkout", "--quiet", "--", ".");
  rmSync(join(path, "new"), { recursive: true });
  expect(await world.prepare("b-1", "resume")).toMatchObject({ leftover: "none" });
});

test("work that does not fit is offered as a patch until somebody has committed since", async () => {
  const world = await CloneWorld.fetched();
  const path = await world.ready("b-1");
  put(path, { "src/a.txt": "mine\n" });
  await world.moveBase({ "src/a.txt": "theirs\n" });
  const offered = { conflict: false, leftover: "patch", facts: { commits: 0 } };
  expect(await world.prepare("b-1", "resume")).toMatchObject(offered);
  // An attempt that ended at once has not looked at it.
  expect(await world.prepare("b-1", "resume")).toMatchObject(offered);
  await world.moveBase({ "other.txt": "theirs\n" });
  expect(await world.prepare("b-1", "resume")).toMatchObject(offered);
  expect(read(path, "CONFLICT.patch")).toContain("+mine");
  commit(path, "work", { "x.txt": "x\n" });
  await world.moveBase({ "other.txt": "again\n" });
  expect(await world.prepare("b-1", "resume")).toMatchObject({ leftover: "none", facts: { commits: 1 } });
  expect(existsSync(join(path, "CONFLICT.patch"))).toBe(false);
});

longTest("a fresh start offers again the patch that the attempt before it left where it was", async () => {
  const world = await CloneWorld.fetched();
  const path = await world.ready("b-1");
  put(path, { "src/a.txt": "mine\n", "new.txt": "new\n" });
  await world.moveBase({ "src/a.txt": "theirs\n" });
  const offered = { conflict: false, leftover: "patch", facts: { commits: 0 } };
  for (let attempt = 2; attempt <= 4; attempt++) {
    expect(await world.prepare("b-1", "fresh")).toMatchObject(offered);
    expect(read(path, "CONFLICT.patch")).toContain("+mine");
    expect(read(path, "CONFLICT.md")).toContain("CONFLICT.patch");
  }
  commit(path, "work", { "x.txt": "x\n" });
  expect(await world.prepare("b-1", "fresh")).toMatchObject({ leftover: "none" });
  expect(existsSync(join(path, "CONFLICT.patch"))).toBe(false);
});

longTest("a second fresh start keeps the second attempt beside the first, and each once", async () => {
  const world = await CloneWorld.fetched();
  for (const text of ["one", "two", "two"]) {
    const path = await world.ready("b-1");
    put(path, { "x.txt": text });
    git(path, "add", ".");
    git(path, "-c", "user.name=Ann", "commit", "--quiet", "-m", text);
    await world.clones.collect("b-1");
  }
  await world.prepare("b-1");
  const kept = git(world.repo, "for-each-ref", "--format=%(contents:subject)", "refs/koryph/old/b-1");
  expect(kept.split("\n").slice(0, 2)).toEqual(["one", "two"]);
  expect((await world.clones.list()).refs.filter(({ ref }) => ref.includes("/old/")).length).toBeLessThan(4);
});

test("a clone with a repository inside it is kept whole, since no patch carries that", async () => {
  const world = await CloneWorld.fetched();
  const path = await world.ready("b-1");
  git(path, "init", "--quiet", "inner");
  commit(join(path, "inner"), "inner work", { "x.txt": "x\n" });
  expect(await world.prepare("b-1")).toMatchObject({ kind: "ready", leftover: "kept" });
  const [kept = ""] = (await world.clones.list()).kept;
  expect(read(kept, "clone/inner/x.txt")).toBe("x\n");
  expect(read(world.run("b-1"), "kept.txt")).toContain(kept);
});

test("a resume with an unmoved base leaves the clone as it is, uncommitted work and all", async () => {
  const world = await CloneWorld.fetched();
  const path = await world.ready("b-1");
  const head = commit(path, "work", { "x.txt": "x\n" });
  put(path, { "half.txt": "half\n", ".git/index.lock": "" });
  expect(await world.prepare("b-1", "resume", ["touch bootstrapped"])).toMatchObject({
    conflict: false,
    facts: { head, commits: 1 },
  });
  expect(read(path, "half.txt")).toBe("half\n");
  expect(existsSync(join(path, ".git/index.lock"))).toBe(false);
  expect(existsSync(join(path, "bootstrapped"))).toBe(false);
});

test("a resume brings commits onto a moved base, with authors kept and uncommitted work put back", async () => {
  const world = await CloneWorld.fetched();
  const path = await world.ready("b-1");
  commit(path, "one", { "x.txt": "x\n" });
  commit(path, "two", { "y.txt": "y\n" });
  put(path, { "half.txt": "half\n" });
  const base = await world.moveBase({ "src/a.txt": "moved\n" });
  const prepared = await world.prepare("b-1", "resume");
  expect(prepared).toMatchObject({ kind: "ready", conflict: false, facts: { base, commits: 2 } });
  expect(git(path, "log", "--format=%an %cn %s", `${base}..`)).toBe("Ann agent two\nAnn agent one");
  expect(git(path, "status", "--porcelain")).toBe("?? half.txt");
  expect(read(path, "src/a.txt")).toBe("moved\n");
  expect(await world.clones.collect("b-1")).toMatchObject({ commits: 2, dirty: true, findings: [] });
});

test("a conflict leaves the agent's own commits and a note, and the note is not work", async () => {
  const world = await CloneWorld.fetched();
  const path = await world.ready("b-1");
  const head = commit(path, "mine", { "src/a.txt": "mine\n" });
  const fork = git(path, "rev-parse", "HEAD~");
  const base = await world.moveBase({ "src/a.txt": "theirs\n" });
  expect(await world.prepare("b-1", "resume")).toMatchObject({
    kind: "ready",
    conflict: true,
    facts: { head, base: fork, commits: 1 },
  });
  expect(read(path, "CONFLICT.md")).toContain(base);
  expect(read(path, "CONFLICT.md")).toContain("- src/a.txt");
  expect(read(world.run("b-1"), "CONFLICT.md")).toBe(read(path, "CONFLICT.md"));
  expect(git(path, "status", "--porcelain")).toBe("");
  expect(git(path, "rev-parse", "origin/main")).toBe(base);
  expect(await world.clones.collect("b-1")).toMatchObject({ head, dirty: false });
});

longTest("the note goes once the agent has brought its branch up to date", async () => {
  const world = await CloneWorld.fetched();
  const path = await world.ready("b-1");
  commit(path, "mine", { "src/a.txt": "mine\n" });
  await world.moveBase({ "src/a.txt": "theirs\n" });
  await world.prepare("b-1", "resume");
  git(path, "rebase", "--quiet", "-X", "theirs", "origin/main");
  expect(await world.prepare("b-1", "resume")).toMatchObject({ conflict: false, facts: { commits: 1 } });
  expect(existsSync(join(path, "CONFLICT.md"))).toBe(false);
});

test("uncommitted work that no longer fits is handed over as a patch", async () => {
  const world = await CloneWorld.fetched();
  const path = await world.ready("b-1");
  commit(path, "work", { "x.txt": "x\n" });
  put(path, { "src/a.txt": "mine\n" });
  await world.moveBase({ "src/a.txt": "theirs\n" });
  expect(await world.prepare("b-1", "resume")).toMatchObject({
    conflict: false,
    leftover: "patch",
    facts: { commits: 1 },
  });
  expect(read(path, "CONFLICT.patch")).toContain("+mine");
  expect(read(path, "src/a.txt")).toBe("theirs\n");
});

longTest(
  "a branch with merge commits is not replayed, since that would drop what the merges decided",
  async () => {
    const world = await CloneWorld.fetched();
    const path = await world.ready("b-1");
    git(path, "checkout", "--quiet", "-b", "side");
    commit(path, "side", { "s.txt": "s\n" });
    git(path, "checkout", "--quiet", "agent/b-1");
    commit(path, "work", { "x.txt": "x\n" });
    git(path, "merge", "--quiet", "--no-ff", "-m", "merge", "side");
    const head = git(path, "rev-parse", "HEAD");
    await world.moveBase({ "z.txt": "z\n" });
    expect(await world.prepare("b-1", "resume")).toMatchObject({ conflict: true, facts: { head } });
    expect(read(path, "CONFLICT.md")).toContain("merge commits");
    expect((await world.clones.collect("b-1")).findings).toEqual([`merge commit: ${head}`]);
  },
);

test("another machine resumes from the work saved on the remote", async () => {
  const world = await CloneWorld.fetched();
  const head = commit(await world.ready("b-1"), "work", { "x.txt": "x\n" });
  await world.clones.collect("b-1");
  await world.clones.checkpoint("b-1");
  const elsewhere = world.open({ home: join(world.top, "elsewhere") });
  const folder = join(world.top, "runs-elsewhere");
  const request = { bead: "b-1", start: "resume", bootstrap: [], folder } as const;
  expect(await elsewhere.prepare(request)).toMatchObject({ facts: { head, commits: 1 } });

  const newer = commit(elsewhere.pathOf("b-1"), "more", { "y.txt": "y\n" });
  await elsewhere.collect("b-1");
  await elsewhere.checkpoint("b-1");
  expect(await world.prepare("b-1", "resume")).toMatchObject({ facts: { head: newer, commits: 2 } });
});

longTest("another machine does not bring back what was taken off the default branch since", async () => {
  const world = await CloneWorld.fetched();
  const kept = git(world.remote, "rev-parse", "main");
  const taken = await world.moveBase({ "secret.txt": "s\n" });
  commit(await world.ready("b-1"), "work", { "x.txt": "x\n" });
  const { began } = await world.clones.collect("b-1");
  expect(began).toBe(taken);
  await world.clones.checkpoint("b-1");
  git(world.remote, "update-ref", "refs/heads/main", kept);
  const elsewhere = world.open({ home: join(world.top, "elsewhere") });
  const folder = join(world.top, "runs-elsewhere");
  const request = { bead: "b-1", start: "resume", began, bootstrap: [], folder } as const;
  expect(await elsewhere.prepare(request)).toMatchObject({ facts: { base: kept, commits: 1 } });
  expect(git(elsewhere.pathOf("b-1"), "log", "--format=%s", `${kept}..`)).toBe("work");
});

test("a fresh start here goes before work that another machine saved earlier", async () => {
  const world = await CloneWorld.fetched();
  commit(await world.ready("b-1"), "given up", { "x.txt": "x\n" });
  await world.clones.collect("b-1");
  await world.clones.checkpoint("b-1");
  const elsewhere = world.open({ home: join(world.top, "elsewhere") });
  const request = { bead: "b-1", bootstrap: [], folder: join(world.top, "runs-elsewhere") } as const;
  await elsewhere.fetch();
  await elsewhere.prepare({ ...request, start: "fresh" });
  const head = commit(elsewhere.pathOf("b-1"), "anew", { "y.txt": "y\n" });
  expect(await elsewhere.prepare({ ...request, start: "resume" })).toMatchObject({ facts: { head } });
});

test("a checkpoint saves changed work once, and nothing while there is none", async () => {
  const world = await CloneWorld.fetched();
  const path = await world.ready("b-1");
  await world.clones.checkpoint("b-1");
  expect(git(world.remote, "for-each-ref", "refs/koryph")).toBe("");
  const head = commit(path, "work", { "x.txt": "x\n" });
  await world.clones.collect("b-1");
  await world.clones.checkpoint("b-1");
  expect(git(world.remote, "rev-parse", "refs/koryph/wip/b-1")).toBe(head);
  git(world.operator, "remote", "set-url", "origin", "/nonexistent.git");
  await world.open().checkpoint("b-1");
});

longTest("a checkpoint replaces what it did not know of, and keeps it", async () => {
  const world = new CloneWorld();
  const stranger = commit(world.operator, "stranger's", { "s.txt": "s\n" });
  git(world.operator, "push", "--quiet", "origin", "HEAD:refs/koryph/wip/b-1");
  const head = commit(await world.ready("b-1"), "work", { "x.txt": "x\n" });
  await world.clones.collect("b-1");
  await world.clones.checkpoint("b-1");
  expect(git(world.remote, "rev-parse", "refs/koryph/wip/b-1")).toBe(head);
  expect(git(world.repo, "rev-parse", "refs/koryph/old/b-1/1")).toBe(stranger);
});

test("what agents at work have committed is named for a push, once, and nothing while there is nothing", async () => {
  const world = await CloneWorld.fetched();
  const path = await world.ready("b-1");
  expect((await world.clones.unsaved(["b-1", "b-2"])).refs).toEqual([]);
  const head = commit(path, "work", { "x.txt": "x\n" });
  const { refs, objects } = await world.clones.unsaved(["b-1", "b-2"]);
  expect(refs).toEqual([{ ref: "refs/koryph/wip/b-1", from: null, to: head }]);
  // The commits are where the push looks for them.
  expect(objects).toBe(`${world.repo}/objects`);
  expect(git(world.repo, "rev-parse", "agent/b-1")).toBe(head);
  await world.clones.noteSaved(refs);
  expect((await world.clones.unsaved(["b-1"])).refs).toEqual([]);
  const next = commit(path, "more", { "y.txt": "y\n" });
  expect((await world.clones.unsaved(["b-1"])).refs).toEqual([
    { ref: "refs/koryph/wip/b-1", from: head, to: next },
  ]);
});

test.each<{ where: string; make: (path: string, token: string) => void }>([
  { where: "a file", make: (path, token) => void commit(path, "work", { "x.txt": `${token}\n` }) },
  {
    where: "a file that is gone again",
    make: (path, token) => {
      commit(path, "work", { "x.txt": `${token}\n` });
      commit(path, "clean up", { "x.txt": "nothing\n" });
    },
  },
  { where: "the name of a file", make: (path, token) => void commit(path, "work", { [token]: "x\n" }) },
  { where: "a message", make: (path, token) => void commit(path, `use ${token}`, { "x.txt": "x\n" }) },
  {
    where: "the author's name",
    make: (path, token) => {
      commit(path, "work", { "x.txt": "x\n" });
      git(path, "commit", "--quiet", "--amend", "--no-edit", `--author=${token} <ann@example.com>`);
    },
  },
])("work with a secret in $where is saved nowhere, and the checkpoint says why", async ({ make }) => {
  const world = await CloneWorld.fetched();
  const token = ["ghp", "a8Kd03jfLq92mZx7Rt5W"].join("_");
  make(await world.ready("b-1"), token);
  await world.clones.collect("b-1");
  expect((await world.clones.unsaved(["b-1"])).refs).toEqual([]);
  const refused = await world.clones.checkpoint("b-1").catch((error: unknown) => error);
  expect(String(refused)).toContain(
    "b-1 is not saved to the remote: its commits add what looks like a secret",
  );
  expect(String(refused)).not.toContain(token);
  expect(git(world.remote, "for-each-ref", "refs/koryph/wip")).toBe("");
});

test("removeWip takes the saved work off the remote, and may be repeated", async () => {
  const world = await CloneWorld.fetched();
  commit(await world.ready("b-1"), "work", { "x.txt": "x\n" });
  await world.clones.collect("b-1");
  await world.clones.checkpoint("b-1");
  expect((await world.clones.list()).wip.map(({ bead }) => bead)).toEqual(["b-1"]);
  for (let time = 0; time < 2; time += 1) await world.clones.removeWip("b-1");
  expect((await world.clones.list()).wip).toEqual([]);
  await world.clones.removeBranch("b-1");
  expect((await world.clones.list()).refs).toEqual([]);
});

test("bootstrap runs in the clone's final place, with a private HOME and nothing of the engine's secrets", async () => {
  const world = await CloneWorld.fetched();
  vi.stubEnv("KORYPH_TOKEN", "hunter2");
  vi.stubEnv("https_proxy", "http://me:hunter2@proxy");
  const prepared = await world.prepare("b-1", "fresh", ["pwd; env", "mkdir ignored && touch ignored/done"]);
  vi.unstubAllEnvs();
  expect(prepared.kind).toBe("ready");
  const log = read(world.run("b-1"), "bootstrap.log");
  expect(log).toContain(`${world.clones.pathOf("b-1")}\n`);
  expect(log).toContain(`HOME=${world.run("b-1")}/bootstrap-home\n`);
  expect(log).not.toContain("hunter2");
  expect(existsSync(join(world.clones.pathOf("b-1"), "ignored/done"))).toBe(true);
});

test("a failing bootstrap says which command and its last lines; the next prepare starts over", async () => {
  const world = await CloneWorld.fetched();
  const failed = await world.prepare("b-1", "fresh", ["true", "touch half; echo no such thing >&2; exit 3"]);
  expect(failed).toEqual({
    kind: "failed",
    reason: expect.stringMatching(/`touch half.*` ended with exit code 3: no such thing$/),
  });
  expect(await world.clones.state("b-1")).toBe("unfinished");
  expect((await world.clones.collect("b-1")).dirty).toBe(false);
  expect(await world.prepare("b-1")).toMatchObject({ kind: "ready" });
  expect(existsSync(join(world.clones.pathOf("b-1"), "half"))).toBe(false);
  expect(await world.clones.remove("b-1")).toBe("removed");
});

test("a bootstrap beyond its time is stopped with all it started", async () => {
  const world = await CloneWorld.fetched();
  const clones = world.open({ bootstrapSeconds: 0.3 });
  const command = "sleep 300 & echo $! > ignored-pid; sleep 300";
  const request = { bead: "b-1", start: "fresh", bootstrap: [command], folder: world.run("b-1") } as const;
  expect(await clones.prepare(request)).toMatchObject({ kind: "failed", reason: /was stopped after 0.3 s/ });
  const pid = Number(read(clones.pathOf("b-1"), "ignored-pid"));
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 10_000 });
});

function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(read("/proc", String(pid), "stat"));
  } catch {
    return false;
  }
}

test("a name that is no bead id is refused before it becomes a path", async () => {
  const clones = new CloneWorld(tempFolder()).clones;
  expect(() => clones.pathOf("../x")).toThrow(/not a bead id/);
  await expect(clones.remove("a/b")).rejects.toThrow(/not a bead id/);
});

longTest("what was saved from another machine is found by one that has nothing of the bead", async () => {
  const world = await CloneWorld.fetched();
  await world.clones.prepare({ bead: "b-1", start: "fresh", bootstrap: [], folder: world.run("b-1") });
  const head = commit(world.clones.pathOf("b-1"), "work", { "x.txt": "x\n" });
  await world.clones.collect("b-1");
  await world.clones.checkpoint("b-1");

  const elsewhere = world.open({ home: join(world.top, "elsewhere") });
  expect(await elsewhere.collect("b-1")).toMatchObject({ head, commits: 1, dirty: false });
  await elsewhere.prepare({ bead: "b-1", start: "resume", bootstrap: [], folder: world.run("b-1") });
  expect(git(elsewhere.pathOf("b-1"), "rev-parse", "HEAD")).toBe(head);
});

test("a spare checkout is used for the next bead, once, and is as good as a fresh one", async () => {
  const world = await CloneWorld.fetched();
  const clones = world.open({ keepSpare: true });
  const spare = join(world.home, "spare");
  await clones.prepare({ bead: "b-1", start: "fresh", bootstrap: [], folder: world.run("b-1") });
  const { base } = await clones.fetch();
  await vi.waitFor(() => expect(readdirSync(spare)).toEqual([base]), 20_000);
  const inode = statSync(join(spare, base, "clone", "README.md")).ino;

  await clones.prepare({ bead: "b-2", start: "fresh", bootstrap: [], folder: world.run("b-2") });
  expect(statSync(join(clones.pathOf("b-2"), "README.md")).ino).toBe(inode);
  expect(git(clones.pathOf("b-2"), "status", "--porcelain", "--branch")).toBe("## agent/b-2");
  expect(await clones.collect("b-2")).toMatchObject({ commits: 0, dirty: false });
  await vi.waitFor(() => expect(readdirSync(spare)).toEqual([base]), 20_000);
});

test("a spare of an older default branch is not used and goes", async () => {
  const world = await CloneWorld.fetched();
  const clones = world.open({ keepSpare: true });
  const spare = join(world.home, "spare");
  await clones.prepare({ bead: "b-1", start: "fresh", bootstrap: [], folder: world.run("b-1") });
  await vi.waitFor(() => expect(readdirSync(spare)).toHaveLength(1), 20_000);
  const moved = commit(world.operator, "moved", { "new.txt": "new\n" });
  git(world.operator, "push", "--quiet", "origin", "main");
  await clones.fetch();
  await clones.prepare({ bead: "b-2", start: "fresh", bootstrap: [], folder: world.run("b-2") });
  expect(read(clones.pathOf("b-2"), "new.txt")).toBe("new\n");
  await vi.waitFor(() => expect(readdirSync(spare)).toEqual([moved]), 20_000);
});
