import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeFolder } from "../../../../src/adapters/files/remove-folder.js";
import { CloneWorld, commit, git, put, read } from "../../../support/engine/clone-world.js";
import { programSettings, tripwire } from "../../../support/engine/tripwire.js";
import { LONG } from "../../../support/long.js";

/** Every setting of git that names a program, in the clone's own configuration and in one it includes. */
function poison(path: string, program: string): void {
  const settings = `${programSettings(program, join(path, ".git/evil-hooks"))}[core]
\tpager = ${program}
\teditor = ${program}
\tgitProxy = ${program}
[commit]
\tgpgSign = true
[uploadpack]
\tpackObjectsHook = ${program}
[filter "evil"]
\tprocess = ${program}
\trequired = true
[remote "origin"]
\tuploadpack = ${program}
[extensions]
\tpartialClone = origin
`;
  appendFileSync(join(path, ".git/config"), settings);
  put(path, { ".git/included": settings });
  appendFileSync(
    join(path, ".git/config"),
    `[include]\n\tpath = included\n[includeIf "gitdir:**"]\n\tpath = included\n`,
  );
  for (const folder of ["hooks", "evil-hooks"]) {
    for (const hook of ["post-checkout", "pre-commit", "post-index-change", "reference-transaction"]) {
      put(path, { [`.git/${folder}/${hook}`]: `#!/bin/sh\n${program} ${hook}\n` });
      chmodSync(join(path, `.git/${folder}/${hook}`), 0o755);
    }
  }
}

const ATTRIBUTES = { ".gitattributes": "* filter=evil diff=evil merge=evil\n" };

test("a clone whose whole configuration is poisoned runs nothing through any verb", async () => {
  const world = new CloneWorld();
  const { program, fired } = tripwire(world.top);
  const path = await world.ready("b-1");
  commit(path, "work", { ...ATTRIBUTES, "src/a.txt": "mine\n" });
  poison(path, program);
  put(path, { "half.txt": "half\n" });

  const collected = await world.clones.collect("b-1");
  await world.clones.checkpoint("b-1");
  await world.prepare("b-1", "resume");
  await world.moveBase({ "src/b.txt": "b\n" });
  poison(path, program);
  await world.prepare("b-1", "resume");
  poison(path, program);
  await world.moveBase({ "src/a.txt": "theirs\n" });
  await world.prepare("b-1", "resume");
  poison(path, program);
  await world.prepare("b-1");
  poison(path, program);
  const removed = await world.clones.remove("b-1");

  expect(fired()).toBe("");
  expect(collected).toMatchObject({ commits: 1, dirty: true, findings: [] });
  expect(removed).toBe("removed");

  // The tripwire is live: git run inside such a clone does fall for it.
  const again = await world.ready("b-2");
  poison(again, program);
  git(again, "status");
  expect(fired()).not.toBe("");
});

test("a submodule with a poisoned repository in it is looked at from outside only", async () => {
  const world = new CloneWorld();
  const { program, fired } = tripwire(world.top);
  const path = await world.ready("b-1");
  git(path, "init", "--quiet", "sub");
  const inner = commit(join(path, "sub"), "inner", { "x.txt": "x\n" });
  put(path, { ".gitmodules": '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n' });
  git(path, "add", "--all");
  git(path, "commit", "--quiet", "-m", "submodule");
  poison(join(path, "sub"), program);
  put(path, { "sub/uncommitted.txt": "work\n" });

  expect(await world.clones.collect("b-1")).toMatchObject({
    commits: 1,
    dirty: true,
    findings: ["submodule changed: sub", "submodule settings changed: .gitmodules"],
  });
  expect(await world.clones.remove("b-1")).toBe("kept-dirty");
  await world.prepare("b-1");
  expect(fired()).toBe("");
  const [kept = ""] = (await world.clones.list()).kept;
  expect(read(kept, "clone/sub/uncommitted.txt")).toBe("work\n");
  expect(inner).toMatch(/^[0-9a-f]{40}$/);
});

interface Attack {
  readonly name: string;
  /** `path` is the agent's clone of bead `b-1`; `victim` a repository that it must not reach through us. */
  readonly given: (path: string, victim: string) => void;
  /** What collect says about the clone's branch; null when it is an honest reading. */
  readonly finding: RegExp | null;
}

const branch = ".git/refs/heads/agent/b-1";

const attacks: readonly Attack[] = [
  {
    name: "a .git that is a file pointing elsewhere",
    given: (path, victim) => {
      rmSync(join(path, ".git"), { recursive: true });
      writeFileSync(join(path, ".git"), `gitdir: ${victim}/.git\n`);
    },
    finding: /\.git is not a folder/,
  },
  {
    name: "a .git that is a link",
    given: (path, victim) => {
      rmSync(join(path, ".git"), { recursive: true });
      symlinkSync(join(victim, ".git"), join(path, ".git"));
    },
    finding: /\.git is not a folder/,
  },
  {
    name: "a clone that is a link",
    given: (path, victim) => {
      rmSync(path, { recursive: true });
      symlinkSync(victim, path);
    },
    finding: /it is not a folder/,
  },
  {
    name: "a branch that is a symbolic ref",
    given: (path) => writeFileSync(join(path, branch), "ref: refs/remotes/origin/main\n"),
    finding: /is a symbolic ref/,
  },
  {
    name: "a branch that is a link to another repository's",
    given: (path, victim) => {
      rmSync(join(path, branch));
      symlinkSync(join(victim, ".git/refs/heads/main"), join(path, branch));
    },
    finding: /not a plain file/,
  },
  {
    name: "a branch in a folder that is a link",
    given: (path, victim) => {
      rmSync(join(path, ".git/refs/heads/agent"), { recursive: true });
      put(victim, { "agent/b-1": `${git(victim, "rev-parse", "HEAD")}\n` });
      symlinkSync(join(victim, "agent"), join(path, ".git/refs/heads/agent"));
    },
    finding: /not a plain file/,
  },
  {
    name: "a branch that is a pipe",
    given: (path) => {
      rmSync(join(path, branch));
      makePipe(join(path, branch));
    },
    finding: /not a plain file/,
  },
  {
    name: "a branch that names no commit",
    given: (path) => writeFileSync(join(path, branch), `${"z".repeat(40)}\n`),
    finding: /names no commit/,
  },
  {
    name: "a deleted branch",
    given: (path) => {
      git(path, "checkout", "--quiet", "--detach");
      git(path, "branch", "--quiet", "-D", "agent/b-1");
    },
    finding: /is gone/,
  },
  {
    name: "packed refs full of monstrous names",
    given: (path) => {
      const monster = `${"1".repeat(40)} refs/heads/${"x".repeat(1_000_000)}\n`;
      writeFileSync(join(path, ".git/packed-refs"), monster.repeat(3));
    },
    finding: null,
  },
  {
    name: "a commit that another repository has, by alternates",
    given: (path, victim) => {
      appendFileSync(join(path, ".git/objects/info/alternates"), `${victim}/.git/objects\n`);
      writeFileSync(join(path, branch), `${git(victim, "rev-parse", "HEAD")}\n`);
    },
    finding: /left out/,
  },
  {
    name: "a commit that another repository has, by linked object folders",
    given: (path, victim) => {
      for (const name of readdirSync(join(victim, ".git/objects"))) {
        rmSync(join(path, ".git/objects", name), { recursive: true, force: true });
        symlinkSync(join(victim, ".git/objects", name), join(path, ".git/objects", name));
      }
      writeFileSync(join(path, branch), `${git(victim, "rev-parse", "HEAD")}\n`);
    },
    finding: /left out/,
  },
  {
    name: "a commit that another repository has, by linked object files",
    given: (path, victim) => {
      const objects = git(victim, "rev-list", "--objects", "HEAD").split("\n");
      for (const sha of objects.map((line) => line.slice(0, 40))) {
        const name = join(".git/objects", sha.slice(0, 2), sha.slice(2));
        mkdirSync(join(path, ".git/objects", sha.slice(0, 2)), { recursive: true });
        symlinkSync(join(victim, name), join(path, name));
      }
      writeFileSync(join(path, branch), `${git(victim, "rev-parse", "HEAD")}\n`);
    },
    finding: /left out/,
  },
  {
    name: "an object that is not what its name says",
    given: (path) => {
      const blob = git(path, "rev-parse", "HEAD:work.txt");
      const other = git(path, "rev-parse", "HEAD^{tree}");
      const file = (sha: string) => join(path, ".git/objects", sha.slice(0, 2), sha.slice(2));
      chmodSync(file(blob), 0o644);
      writeFileSync(file(blob), readFileSync(file(other)));
    },
    finding: /left out/,
  },
  {
    name: "an object that is a pipe",
    given: (path) => {
      const blob = git(path, "rev-parse", "HEAD:work.txt");
      const file = join(path, ".git/objects", blob.slice(0, 2), blob.slice(2));
      rmSync(file);
      makePipe(file);
    },
    finding: /left out/,
  },
  {
    name: "a tree that would write into .git",
    given: (path) => {
      const blob = git(path, "rev-parse", "HEAD:work.txt");
      const inner = makeTree(path, `100644 blob ${blob}\tconfig\n`);
      const tree = makeTree(path, `040000 tree ${inner}\t.git\n`);
      git(path, "update-ref", "HEAD", git(path, "commit-tree", "-p", "HEAD", "-m", "evil", tree));
    },
    finding: /hasDotgit/,
  },
  {
    name: "a pack with a forged index",
    given: (path) => {
      git(path, "gc", "--quiet", "--prune=now");
      const folder = join(path, ".git/objects/pack");
      for (const name of readdirSync(folder)) {
        if (!name.endsWith(".idx")) continue;
        chmodSync(join(folder, name), 0o644);
        writeFileSync(join(folder, name), "not an index");
      }
    },
    finding: null,
  },
  {
    name: "replaced objects and grafts",
    given: (path) => {
      const head = git(path, "rev-parse", "HEAD");
      const lie = git(path, "commit-tree", "-m", "lie", "HEAD^{tree}");
      git(path, "replace", head, lie);
      put(path, { ".git/info/grafts": `${head}\n`, ".git/shallow": `${head}\n` });
    },
    finding: null,
  },
];

function makePipe(path: string): void {
  execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
}

function makeTree(path: string, input: string): string {
  return execFileSync("git", ["mktree"], { cwd: path, input, encoding: "utf8" }).trimEnd();
}

/** One world for all attacks, as one engine has them all: what an attack leaves behind, the next one meets. */
const top = mkdtempSync(join(tmpdir(), "koryph-test-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));
const world = new CloneWorld(top);
const victim = join(top, "victim");
let secret = "";
beforeAll(async () => {
  git(top, "init", "--quiet", "--initial-branch=main", victim);
  secret = commit(victim, "secret", { "secret.txt": "hunter2\n" });
  await world.ready("b-2");
});

/** Every second one in the short form; each is an attack of its own kind. */
const tried = attacks.filter((_, index) => LONG || index % 2 === 0);

test.each(tried)("$name reaches nothing but the bead's own branch", async ({ given, finding }) => {
  const path = await world.ready("b-1");
  // New content each time: an object that repo.git has already need not be read from the clone.
  const head = commit(path, "work", { "work.txt": `work ${randomUUID()}\n` });
  given(path, victim);
  const before = snapshot();

  const collected = await world.clones.collect("b-1");
  expect(collected.findings.join("\n")).toMatch(finding ?? /^$/);
  if (finding === null) expect(collected).toMatchObject({ head, commits: 1 });
  expect(() => git(world.repo, "cat-file", "-e", secret)).toThrow();

  expect(await world.prepare("b-1")).toMatchObject({ kind: "ready", facts: { commits: 0 } });
  expect(await world.clones.collect("b-1")).toMatchObject({ commits: 0, dirty: false, findings: [] });
  expect(snapshot()).toEqual(before);
});

/** All that an agent of b-1 must not change. */
function snapshot() {
  const refs = git(world.repo, "for-each-ref", "--format=%(refname) %(objectname)").split("\n");
  return {
    refs: refs.filter((line) => !/agent\/b-1 |koryph\/old\/b-1\//.test(line)),
    config: read(world.repo, "config"),
    operator: git(world.operator, "status", "--porcelain"),
    remote: git(world.remote, "for-each-ref"),
    victim: git(victim, "status", "--porcelain", "--branch"),
    other: git(world.clones.pathOf("b-2"), "status", "--porcelain", "--branch"),
  };
}

test("a rewound branch moves back, and what it left stays in the reflog", async () => {
  const world = new CloneWorld();
  const path = await world.ready("b-1");
  const first = commit(path, "one", { "x.txt": "1\n" });
  const second = commit(path, "two", { "x.txt": "2\n" });
  await world.clones.collect("b-1");
  git(path, "reset", "--quiet", "--hard", first);
  expect(await world.clones.collect("b-1")).toMatchObject({ head: first, commits: 1, dirty: false });
  expect(git(world.repo, "log", "--walk-reflogs", "--format=%H", "agent/b-1", "--")).toContain(second);
});

test("links planted where the engine writes or deletes lead nowhere", async () => {
  const world = new CloneWorld();
  const path = await world.ready("b-1");
  const target = join(world.top, "target");
  put(target, { "index.lock": "keep\n", "b-1.lock": "keep\n", "CONFLICT.md": "keep\n" });
  commit(path, "mine", { "src/a.txt": "mine\n" });
  git(path, "pack-refs", "--all");
  rmSync(join(path, ".git/refs/heads"), { recursive: true });
  symlinkSync(target, join(path, ".git/refs/heads"));
  mkdirSync(join(target, "agent"));
  renameSync(join(target, "b-1.lock"), join(target, "agent/b-1.lock"));
  symlinkSync(join(target, "index.lock"), join(path, ".git/index.lock"));
  symlinkSync(join(target, "CONFLICT.md"), join(path, "CONFLICT.md"));
  await world.prepare("b-1", "resume");
  await world.moveBase({ "src/a.txt": "theirs\n" });
  expect(await world.prepare("b-1", "resume")).toMatchObject({ conflict: true });
  expect(read(target, "index.lock") + read(target, "agent/b-1.lock") + read(target, "CONFLICT.md")).toBe(
    "keep\nkeep\nkeep\n",
  );
});

test("folders without any permission are cleared away", async () => {
  const world = new CloneWorld();
  const path = await world.ready("b-1");
  put(path, { "ignored/deep/x": "x\n" });
  chmodSync(join(path, "ignored/deep"), 0o000);
  chmodSync(join(path, "ignored"), 0o500);
  expect(await world.clones.remove("b-1")).toBe("removed");
  expect(existsSync(path)).toBe(false);
});

/** So many folders, one in the other, that their path is longer than any call takes. */
const BURROW = `const { mkdirSync } = require("node:fs");
for (let deep = 0; deep < 2200; deep += 1) { mkdirSync("d"); process.chdir("d"); }`;

const UNREADABLE: readonly { name: string; dig: (path: string) => void }[] = [
  {
    name: "a folder that nobody may read",
    dig: (path) => mkdirSync(join(path, "locked"), { mode: 0 }),
  },
  {
    name: "folders nested deeper than a path can name",
    dig: (path) => execFileSync(process.execPath, ["-e", BURROW], { cwd: path }),
  },
];

test.each(LONG ? UNREADABLE : UNREADABLE.slice(0, 1))(
  "$name count as work, are kept once, and are cleared away",
  async ({ dig }) => {
    const world = new CloneWorld();
    const request = { bead: "b-1", start: "fresh" as const, bootstrap: [], folder: world.run("b-1") };
    await world.clones.prepare(request);
    const path = world.clones.pathOf("b-1");
    const head = commit(path, "work", { "x.txt": "x\n" });
    dig(path);
    writeFileSync(join(path, "unsaved.txt"), "mine\n");
    expect(await world.clones.collect("b-1")).toMatchObject({ head, dirty: true });
    expect(await world.clones.isDirty("b-1")).toBe(true);
    await world.clones.prepare(request);
    expect(await world.clones.state("b-1")).toBe("ready");
    await removeFolder(world.top);
    expect(existsSync(world.top)).toBe(false);
  },
);

test.each(LONG ? [".gitignore", ".gitattributes", "src/.gitignore"] : [".gitignore"])(
  "a pipe in the place of %s hangs nobody: the clone counts as dirty and is kept whole",
  async (name) => {
    const world = new CloneWorld();
    const request = { bead: "b-1", start: "fresh" as const, bootstrap: [], folder: world.run("b-1") };
    await world.clones.prepare(request);
    const path = world.clones.pathOf("b-1");
    const head = commit(path, "work", { "x.txt": "x\n" });
    rmSync(join(path, name), { force: true });
    execFileSync("mkfifo", [join(path, name)]);
    expect(await world.clones.collect("b-1")).toMatchObject({ head, dirty: true });
    expect(await world.clones.remove("b-1")).toBe("kept-dirty");
    await world.clones.prepare(request);
    expect(readdirSync(join(world.home, "kept"))).toHaveLength(1);
    expect(await world.clones.state("b-1")).toBe("ready");
  },
);
