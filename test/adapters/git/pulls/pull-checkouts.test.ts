import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { Clones } from "../../../../src/adapters/git/clones/clones.js";
import { PullCheckouts } from "../../../../src/adapters/git/pulls/pull-checkouts.js";
import { openRemote } from "../../../../src/adapters/git/remote/remote.js";
import { changedLines } from "../../../../src/core/review/pull/changed-lines.js";
import { git } from "../../../support/cli/project.js";
import { tempFolder } from "../../../support/temp-folder.js";

const IDENTITY = { name: "koryph", email: "koryph@example.invalid" };
const NAMES = [
  "plain.txt",
  "with space.txt",
  'quo"te.txt',
  "new\nline.txt",
  "-rf.txt",
  "ä$(touch x).txt",
  "b/b.txt",
];

/** A remote that keeps refs as GitHub does, with pull request 1. */
function world() {
  const work = tempFolder();
  const remote = tempFolder();
  const home = tempFolder();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    writeFileSync(join(work, path), text);
  };
  const commit = () => {
    git(work, "add", "--all", "--force");
    git(work, "commit", "--quiet", "--message", "change");
  };
  git(work, "init", "--quiet", "--initial-branch=main");
  for (const name of NAMES) write(name, "one\ntwo\n");
  write("CLAUDE.md", "base\n");
  write("docs/AGENTS.md", "base docs\n");
  write(".claude/settings.json", "{}\n");
  commit();
  git(remote, "init", "--quiet", "--bare", "--initial-branch=main");
  git(work, "remote", "add", "origin", remote);
  git(work, "push", "--quiet", "origin", "main");
  git(work, "checkout", "--quiet", "-b", "change");
  const push = () => {
    commit();
    git(work, "push", "--quiet", "--force", "origin", "HEAD:refs/pull/1/head");
    git(work, "checkout", "--quiet", "main");
  };
  const clones = new Clones({
    ...{
      projectHome: home,
      operatorRepo: work,
      openRemote: () => openRemote(work, "origin"),
      agentIdentity: IDENTITY,
    },
  });
  return {
    work,
    home,
    write,
    push,
    pulls: new PullCheckouts({ clones, projectHome: home, identity: IDENTITY }),
  };
}

test("a stranger's settings, links and names reach a reviewer as harmless files", async () => {
  const { work, write, push, pulls } = world();
  for (const name of NAMES) write(name, "one\nTWO\n");
  write("CLAUDE.md", "orders\n");
  write("src/.Claude/settings.json", "hooks\n");
  write("src/claude.md", "orders\n");
  git(work, "rm", "--quiet", "-r", "docs", ".claude");
  symlinkSync("/etc", join(work, "docs"));
  symlinkSync("/etc/passwd", join(work, "link"));
  symlinkSync("src", join(work, ".claude"));
  push();
  const brought = await pulls.bring(1, "main");
  expect(brought.base).toBe(brought.tip);
  const { diff, stat } = await pulls.change(brought);
  expect(stat).toContain("plain.txt");
  const lines = changedLines(diff);
  for (const name of NAMES) expect(lines.get(name)?.get(2), name).toBe("TWO");

  const folder = await pulls.checkOut(1, brought);
  const read = (path: string) => readFileSync(join(folder, path), "utf8");
  expect(read("CLAUDE.md")).toBe("base\n");
  expect(read(".claude/settings.json")).toBe("{}\n");
  expect([existsSync(join(folder, "src/claude.md")), existsSync(join(folder, "src/.Claude"))]).toEqual([
    false,
    false,
  ]);
  for (const link of ["docs", "link"]) expect(lstatSync(join(folder, link)).isFile()).toBe(true);
  expect(read("link")).toBe("/etc/passwd");
  expect(read("plain.txt")).toBe("one\nTWO\n");
  await pulls.drop(1);
  await pulls.drop(1);
  expect(existsSync(folder)).toBe(false);
});

test("a pull request that the remote does not have, or that began elsewhere, is refused with the reason", async () => {
  const { work, push, write, pulls } = world();
  await expect(pulls.bring(2, "main")).rejects.toThrow("refs/pull/2/head");
  git(work, "checkout", "--quiet", "--orphan", "other");
  write("x", "x\n");
  push();
  await expect(pulls.bring(1, "main")).rejects.toThrow("no commit in common");
});
