import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openLandingRepo } from "../../../../src/adapters/git/landing/landing-repo.js";
import { checkPaths } from "../../../../src/adapters/git/landing/lay-check.js";
import { ORDINARY } from "../../../../src/core/land/content/range-content.js";
import { commit, git, put, read } from "../../../support/engine/clone-world.js";
import { LandingWorld } from "../../../support/landing/landing-world.js";

const ANN = { name: "Ann", email: "ann@example.com" };

async function opened() {
  const world = await LandingWorld.open();
  return { world, landing: world.landing(), base: world.remoteTip };
}

test("the default branch comes from the remote, and objects lie where git looks for borrowed ones", async () => {
  const { world, base } = await opened();
  const landing = await openLandingRepo(world.facts());
  expect(await landing.fetchBase()).toEqual({ branch: "main", tip: base, receipts: null });
  expect(landing.target).toBe("remote");
  expect(existsSync(join(landing.objects, "pack"))).toBe(true);
});

test("a candidate is what the agent committed, and may be asked for again", async () => {
  const { world, landing, base } = await opened();
  const clone = await world.ready("b-1");
  expect(await landing.candidate("b-1")).toBeNull();
  commit(clone, "one", { "x.txt": "1\n" });
  const head = commit(clone, "two", { "x.txt": "2\n" });
  expect(await landing.candidate("b-1")).toEqual({ base, head });
  expect(await landing.candidate("b-1")).toEqual({ base, head });
  expect(await landing.candidate("b-never")).toBeNull();
});

test("a default branch that went on leaves the candidate where it is", async () => {
  const { world, landing, base } = await opened();
  const head = commit(await world.ready("b-1"), "one", { "x.txt": "1\n" });
  await world.moveBase({ "y.txt": "y\n" });
  expect(await landing.candidate("b-1")).toEqual({ base, head });
});

test("a default branch that already has the commits leaves no candidate", async () => {
  const { world, landing } = await opened();
  const clone = await world.ready("b-1");
  commit(clone, "one", { "x.txt": "1\n" });
  git(clone, "push", "--quiet", world.remote, "HEAD:main");
  await landing.fetchBase();
  expect(await landing.candidate("b-1")).toBeNull();
});

test("commits taken off the default branch meanwhile are no part of the candidate", async () => {
  const { world, landing, base } = await opened();
  const removed = await world.moveBase({ "secret.txt": "oops\n" });
  const head = commit(await world.ready("b-1"), "one", { "x.txt": "1\n" });
  world.rewind(base);
  await landing.fetchBase();
  const candidate = await landing.candidate("b-1");
  expect(candidate).toEqual({ base: removed, head });
  const rebased = await landing.rebase("b-1", { base: removed, head }, base);
  if (rebased.kind !== "rebased") throw new Error(rebased.kind);
  expect((await landing.range({ base, head: rebased.head })).paths).toEqual(["x.txt"]);
});

test.each<{ name: string; given: (clone: string) => void }>([
  { name: "as it was", given: () => {} },
  { name: "half built", given: (clone) => rmSync(clone, { recursive: true }) },
])("a resume after a rewind leaves the removed commits behind, with the clone $name", async ({ given }) => {
  const { world, landing, base } = await opened();
  await world.moveBase({ "secret.txt": "oops\n" });
  const clone = await world.ready("b-1");
  commit(clone, "one", { "x.txt": "1\n" });
  await landing.candidate("b-1");
  world.rewind(base);
  await landing.fetchBase();
  given(clone);
  await world.prepare("b-1", "resume");
  const candidate = await landing.candidate("b-1");
  expect(candidate?.base).toBe(base);
  expect(git(world.repo, "log", "--format=%s", `${base}..${candidate?.head}`)).toBe("one");
  expect(existsSync(join(clone, "secret.txt"))).toBe(false);
});

test("a build cut short forgets neither the base it comes from nor the one it goes to", async () => {
  const { world, landing, base } = await opened();
  const removed = await world.moveBase({ "secret.txt": "oops\n" });
  const head = commit(await world.ready("b-1"), "one", { "x.txt": "1\n" });
  await landing.candidate("b-1");
  world.rewind(base);
  await landing.fetchBase();
  const record = { stage: "building", base, leaving: removed };
  writeFileSync(join(world.home, "engine", "b-1", "clone.json"), JSON.stringify(record));
  expect(await landing.candidate("b-1")).toEqual({ base: removed, head });
  await world.prepare("b-1", "resume");
  const candidate = await landing.candidate("b-1");
  expect(git(world.repo, "log", "--format=%s", `${base}..${candidate?.head}`)).toBe("one");
});

test("a record from before bases were kept is measured from the default branch", async () => {
  const { world, landing, base } = await opened();
  const head = commit(await world.ready("b-1"), "one", { "x.txt": "1\n" });
  await world.moveBase({ "y.txt": "y\n" });
  writeFileSync(join(world.home, "engine", "b-1", "clone.json"), '{"stage":"ready"}');
  expect(await landing.candidate("b-1")).toEqual({ base, head });
});

test.each<{ name: string; given: (clone: string) => void; finding: RegExp }>([
  {
    name: "a merge with an older commit",
    given: (clone) => {
      git(clone, "checkout", "--quiet", "-b", "side", "HEAD~1");
      commit(clone, "side", { "s.txt": "s\n" });
      git(clone, "checkout", "--quiet", "agent/b-1");
      commit(clone, "x", { "x.txt": "x\n" });
      git(clone, "merge", "--quiet", "--no-ff", "-m", "merge", "side");
    },
    finding: /^merge commit: /,
  },
  {
    name: "a merge of a history of its own",
    given: (clone) => {
      git(clone, "checkout", "--quiet", "--orphan", "other");
      commit(clone, "orphan", { "o.txt": "o\n" });
      git(clone, "checkout", "--quiet", "agent/b-1");
      git(clone, "merge", "--quiet", "--allow-unrelated-histories", "-X", "ours", "-m", "merge", "other");
    },
    finding: /^merge commit: /,
  },
  {
    name: "nothing but a history of its own",
    given: (clone) => {
      git(clone, "checkout", "--quiet", "--orphan", "other");
      git(clone, "branch", "--quiet", "-D", "agent/b-1");
      commit(clone, "orphan", { "o.txt": "o\n" });
      git(clone, "branch", "--quiet", "agent/b-1");
    },
    finding: /shares no history/,
  },
])("$name is a candidate with a finding", async ({ given, finding }) => {
  const { world, landing } = await opened();
  const base = await world.moveBase({ "y.txt": "y\n" });
  given(await world.ready("b-1"));
  const candidate = await landing.candidate("b-1");
  if (candidate === null) throw new Error("no candidate");
  expect(candidate.base).toBe(base);
  const { findings, commits } = await landing.range(candidate);
  expect(findings).toContainEqual(expect.stringMatching(finding));
  expect(commits.map(({ sha }) => sha)).not.toContain(base);
  expect(await landing.sign("b-1", candidate)).toEqual(candidate);
});

test("a clone is dirty while it holds what is in no commit, or cannot be read", async () => {
  const { world, landing } = await opened();
  expect(await landing.isDirty("b-1")).toBe(false);
  const clone = await world.ready("b-1");
  expect(await landing.isDirty("b-1")).toBe(false);
  put(clone, { "left.txt": "left\n" });
  expect(await landing.isDirty("b-1")).toBe(true);
  commit(clone, "all", {});
  expect(await landing.isDirty("b-1")).toBe(false);
  writeFileSync(join(clone, ".git", "refs", "heads", "agent", "b-1"), "ref: refs/heads/elsewhere\n");
  expect(await landing.isDirty("b-1")).toBe(true);
});

test("a range tells of each commit, oldest first, and of every path that one touches", async () => {
  const { world, landing, base } = await opened();
  const one = world.made(
    base,
    "feat: one\n\nbody\n\nSigned-off-by: X <x@y>\n",
    { "a.txt": "a\n" },
    { as: ANN },
  );
  const two = world.made(one, ":100644 two\n", { 'sub/b "q"\n.txt': "b\n", "a.txt": "A\n" });
  const three = world.made(two, "", { "src/a.txt": "changed\n" });
  const facts = await landing.range({ base, head: three });
  expect(facts).toEqual({
    tree: expect.stringMatching(/^[0-9a-f]{40}$/),
    total: 3,
    commits: [
      { sha: one, parents: [base], subject: "feat: one", authorEmail: ANN.email, committerEmail: ANN.email },
      expect.objectContaining({ sha: two, parents: [one], subject: ":100644 two" }),
      expect.objectContaining({ sha: three, subject: "", committerEmail: "agent@koryph.invalid" }),
    ],
    paths: ["a.txt", "src/a.txt", 'sub/b "q"\n.txt'],
    findings: [],
    secrets: [],
    content: { ...ORDINARY, added: ["a.txt", 'sub/b "q"\n.txt'], files: 3 },
    empty: false,
  });
});

test("a range knows both names of a renamed file, and what a later commit takes back", async () => {
  const { world, landing } = await opened();
  const clone = await world.ready("b-1");
  git(clone, "mv", "src/a.txt", "src/b.txt");
  commit(clone, "rename", {});
  git(clone, "mv", "src/b.txt", "src/a.txt");
  commit(clone, "and back", {});
  const candidate = await landing.candidate("b-1");
  if (candidate === null) throw new Error("no candidate");
  const facts = await landing.range(candidate);
  expect({ paths: facts.paths, empty: facts.empty }).toEqual({
    paths: ["src/a.txt", "src/b.txt"],
    empty: true,
  });
  expect(await landing.range({ base: candidate.base, head: candidate.base })).toEqual({
    tree: expect.stringMatching(/^[0-9a-f]{40}$/),
    ...{ total: 0, commits: [], paths: [], findings: [], secrets: [], content: ORDINARY, empty: true },
  });
});

test("names that are no UTF-8 and subjects beyond all measure are read like others", async () => {
  const { world, landing, base } = await opened();
  const long = "x".repeat(1_000_000);
  const one = world.made(base, `${long}\n`, { "f.txt": "f\n" });
  const two = world.made(one, Buffer.from("bad \xff byte\n", "latin1"), { "f.txt": "g\n" });
  const tree = git(world.repo, "rev-parse", `${two}^{tree}`);
  const index = { GIT_INDEX_FILE: join(world.top, "odd-index") };
  const run = (args: string[], input: Buffer | string = "") =>
    execFileSync("git", args, { cwd: world.repo, env: { PATH: process.env.PATH ?? "", ...index }, input });
  run(["read-tree", tree]);
  const blob = git(world.repo, "rev-parse", `${two}:f.txt`);
  run(["update-index", "-z", "--index-info"], Buffer.from(`100644 ${blob}\t.github/\xff\0`, "latin1"));
  const odd = run(["write-tree"]).toString().trim();
  const text = git(world.repo, "cat-file", "commit", two).replace(/^tree .*$/m, `tree ${odd}`);
  const three = run(["hash-object", "-t", "commit", "-w", "--stdin"], `${text}\n`).toString().trim();
  const facts = await landing.range({ base, head: three });
  expect(facts.commits.map(({ subject }) => subject.length)).toEqual([1_000_000, 10]);
  expect(facts.paths).toEqual([".github/\u{FFFD}", "f.txt"]);
});

test("ancestors are told, and a commit that is not here is nobody's", async () => {
  const { world, landing, base } = await opened();
  const { head } = world.line(base, "one");
  expect(await landing.isAncestor(base, head)).toBe(true);
  expect(await landing.isAncestor(head, base)).toBe(false);
  expect(await landing.isAncestor(head, head)).toBe(true);
  expect(await landing.isAncestor("1".repeat(40), head)).toBe(false);
  await expect(landing.isAncestor(head, "1".repeat(40))).rejects.toThrow("cannot tell");
});

test("a change is described by counts and text, and by no more text than asked for", async () => {
  const { world, landing, base } = await opened();
  const head = world.made(base, "x", { "src/a.txt": "b\n", "big.txt": "line\n".repeat(100_000) });
  const whole = await landing.describe({ base, head }, 2_000_000);
  expect(whole.stat).toMatch(/big\.txt +\| 100000 \+.*\n src\/a\.txt\s+\|\s+2 \+-\n 2 files changed/s);
  expect(whole.diff).toContain("-a\n+b\n");
  const cut = await landing.describe({ base, head }, 1_000);
  expect(cut.diff).toBe(whole.diff.slice(0, 1_000));
});

test("a checkout has the files of its commit and a repository that leads nowhere", async () => {
  const { world, landing, base } = await opened();
  const { head } = world.line(base, "one");
  const folder = await landing.checkOut("b-1-gate", head);
  expect(folder).toBe(join(world.home, "checks", "b-1-gate"));
  expect(readdirSync(folder).sort()).toEqual([".git", ".gitignore", "README.md", "f0.txt", "src"]);
  expect(git(folder, "rev-parse", "HEAD")).toBe(head);
  expect(git(folder, "status", "--porcelain")).toBe("");
  expect(git(folder, "remote")).toBe("");
  expect(git(folder, "for-each-ref")).toBe("");
  expect(git(folder, "rev-parse", "--abbrev-ref", "HEAD")).toBe("HEAD");
});

test("a checkout replaces what had its name, whatever that was, and goes with all that was left in it", async () => {
  const { world, landing, base } = await opened();
  const { head } = world.line(base, "one");
  const folder = await landing.checkOut("b-1-gate", base);
  put(folder, { "cache/read/only.txt": "x", "README.md": "spoilt" });
  chmodSync(join(folder, "cache", "read"), 0o500);
  const here = process.cwd();
  process.chdir(folder);
  // Longer than any path may be, so that it can only be reached step by step.
  for (let depth = 0; depth < 25; depth += 1) {
    mkdirSync("d".repeat(200));
    process.chdir("d".repeat(200));
  }
  process.chdir(here);
  expect(await landing.checkOut("b-1-gate", head)).toBe(folder);
  expect(read(folder, "README.md")).toBe("hello\n");
  expect(existsSync(join(folder, "cache"))).toBe(false);
  await landing.dropCheckout("b-1-gate");
  await landing.dropCheckout("b-1-gate");
  expect(readdirSync(join(world.home, "checks"), { recursive: true }).sort()).toEqual([".making", ".trash"]);
  writeFileSync(folder, "a file");
  await landing.dropCheckout("b-1-gate");
  expect(existsSync(folder)).toBe(false);
});

test.each(["", ".", "..", "a/b", ".making", "-x"])("%j names no checkout", (name) => {
  expect(() => checkPaths("/home", name)).toThrow("not a name");
});

test("a dropped bead leaves nothing behind, here or on the remote, however often it is dropped", async () => {
  const { world, landing } = await opened();
  commit(await world.ready("b-1"), "first", { "x.txt": "1\n" });
  await landing.candidate("b-1");
  const clone = await world.ready("b-1");
  const head = commit(clone, "second", { "x.txt": "2\n" });
  await landing.candidate("b-1");
  await world.clones.checkpoint("b-1");
  await landing.keep("b-1", head);
  await landing.keep("b-1", head);
  expect(
    git(world.repo, "for-each-ref", "--format=%(refname)", "refs/heads", "refs/koryph").split("\n"),
  ).toEqual([
    "refs/heads/agent/b-1",
    "refs/koryph/candidate/b-1",
    "refs/koryph/old/b-1/1",
    "refs/koryph/wip/b-1",
  ]);
  for (let time = 0; time < 2; time += 1) {
    await landing.drop("b-1", null);
    expect(git(world.repo, "for-each-ref", "refs/heads", "refs/koryph")).toBe("");
    expect(git(world.remote, "for-each-ref", "refs/koryph")).toBe("");
    expect(existsSync(clone)).toBe(false);
    expect((await world.clones.list()).clones).toEqual([]);
  }
});

test("a dirty clone stays when its bead is dropped, and the rest goes", async () => {
  const { world, landing } = await opened();
  const clone = await world.ready("b-1");
  commit(clone, "one", { "x.txt": "1\n" });
  await landing.candidate("b-1");
  put(clone, { "left.txt": "left\n" });
  await landing.drop("b-1", null);
  expect(read(clone, "left.txt")).toBe("left\n");
  expect(git(world.repo, "for-each-ref", "refs/heads", "refs/koryph")).toBe("");
});

test("what is kept for landing is listed with the bead's other refs", async () => {
  const { world, landing, base } = await opened();
  const { head } = world.line(base, "one");
  await landing.keep("b-1", head);
  expect((await world.clones.list()).refs).toEqual([
    { bead: "b-1", ref: "refs/koryph/candidate/b-1", sha: head },
  ]);
});

test("signatures are whatever the verifier says of the engine's repository", async () => {
  const world = new LandingWorld();
  const asked: unknown[] = [];
  const landing = world.landing({
    verify: async (...args) => {
      asked.push(args);
      return [];
    },
  });
  await landing.signatures("base", { base: "b", head: "h" });
  expect(asked).toEqual([[world.repo, "base", { base: "b", head: "h" }]]);
});

test("a repository without a remote lands on its own checkout", async () => {
  const world = new LandingWorld();
  git(world.operator, "remote", "remove", "origin");
  expect((await openLandingRepo(world.facts())).target).toBe("checkout");
});

test("commits that came after what landed keep their clone and their branch", async () => {
  const { world, landing } = await opened();
  const clone = await world.ready("b-1");
  commit(clone, "one", { "x.txt": "1\n" });
  const made = await landing.candidate("b-1");
  commit(clone, "two", { "y.txt": "2\n" });
  await landing.drop("b-1", made?.head ?? null);
  expect(read(clone, "y.txt")).toBe("2\n");
  expect(git(world.repo, "log", "--format=%s", "-1", "refs/heads/agent/b-1")).toBe("two");
});

test("a commit tells which of the paths it has, be they files or folders", async () => {
  const { world, landing } = await opened();
  const head = commit(await world.ready("b-1"), "one", { "docs/a.md": "a\n", "b c": "b\n" });
  await landing.candidate("b-1");
  const paths = ["docs", "docs/a.md", "b c", "api", "docs/../docs"];
  expect(await landing.present(head, paths)).toEqual(["docs", "docs/a.md", "b c"]);
  expect(await landing.present(head, [])).toEqual([]);
});
