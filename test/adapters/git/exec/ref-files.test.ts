import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type ListedRef, readRefFiles, refsOnDisk } from "../../../../src/adapters/git/exec/ref-files.js";
import { CloneWorld, git } from "../../../support/engine/clone-world.js";
import { onFileEnd } from "../../../support/file-end.js";

let repo = "";

beforeAll(() => {
  const top = mkdtempSync(join(tmpdir(), "koryph-refs-"));
  onFileEnd(() => rmSync(top, { recursive: true, force: true }));
  repo = new CloneWorld(top).remote;
  for (const name of ["refs/heads/agent/a", "refs/tags/v1", "refs/koryph/old/a/1", "refs/koryph/old/a/2"])
    git(repo, "update-ref", name, "main");
  git(repo, "tag", "-a", "-m", "told", "v2", "main");
  git(repo, "pack-refs", "--all");
  // Some are newer than what is packed, some are only files, and one is gone.
  const next = git(repo, "commit-tree", "-m", "next", "-p", "main", "main^{tree}");
  git(repo, "update-ref", "refs/heads/agent/a", next);
  git(repo, "update-ref", "refs/heads/agent/b", next);
  git(repo, "update-ref", "-d", "refs/koryph/old/a/1");
  git(repo, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/heads/main");
  git(repo, "symbolic-ref", "refs/remotes/origin/gone", "refs/heads/nowhere");
});

function fromGit(...patterns: string[]): ListedRef[] {
  const format = "--format=%(refname) %(objectname) %(symref)";
  return git(repo, "for-each-ref", format, ...patterns)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [ref = "", sha = "", target = ""] = line.split(" ");
      return { ref, sha, target };
    });
}

test.each([
  [["refs"]],
  [["refs/heads"]],
  [["refs/heads/agent", "refs/tags"]],
  [["refs/heads/agent/a"]],
  [["refs/heads/agent/a", "refs/heads/agent"]],
  [["refs/koryph/old/a"]],
  [["refs/remotes/origin"]],
  [["refs/heads/age"]],
  [["refs/koryph/none", "refs/heads/agent/a/deeper"]],
])("%j: the files say what git says", async (patterns) => {
  expect(await readRefFiles(repo, patterns)).toEqual(fromGit(...patterns));
});

test("a lock is no ref, and of a file that names no commit git is asked", async () => {
  writeFileSync(join(repo, "refs/heads/agent/a.lock"), "");
  expect(await readRefFiles(repo, ["refs/heads/agent"])).toEqual(fromGit("refs/heads/agent"));
  writeFileSync(join(repo, "refs/heads/agent/c"), "half a li");
  expect(await readRefFiles(repo, ["refs/heads/agent"])).toEqual(fromGit("refs/heads/agent"));
});

test("a pipe in the place of a ref is not waited for", async () => {
  const pipe = join(repo, "refs/heads/agent/pipe");
  execFileSync("mkfifo", [pipe]);
  try {
    expect(await refsOnDisk(repo, ["refs/heads/agent"])).toBe(null);
  } finally {
    rmSync(pipe);
  }
});
