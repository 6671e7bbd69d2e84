import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { askRemote } from "../../../../src/adapters/git/remote/remote-refs.js";
import { CloneWorld, git } from "../../../support/engine/clone-world.js";
import { tempFolder } from "../../../support/temp-folder.js";

const EVERYTHING = ["HEAD", "refs/heads/*", "refs/koryph/ledger-*", "refs/koryph/receipts"];

/** A repository on this disk is read as files; by such an address git itself is asked. */
const ask = (path: string, patterns = EVERYTHING) => askRemote({ url: path, env: {} }, patterns);
const askGit = (path: string, patterns = EVERYTHING) => ask(`file://${path}`, patterns);

function bareRepository(): string {
  const { remote } = new CloneWorld(tempFolder());
  for (const name of ["refs/koryph/ledger", "refs/koryph/ledger-1", "refs/koryph/receipts", "refs/heads/a/b"])
    git(remote, "update-ref", name, "main");
  git(remote, "pack-refs", "--all");
  const next = git(remote, "commit-tree", "-m", "next", "-p", "main", "main^{tree}");
  git(remote, "update-ref", "refs/heads/a/b", next);
  git(remote, "update-ref", "-d", "refs/koryph/receipts");
  git(remote, "update-ref", "refs/koryph/ledger-2", next);
  return remote;
}

test.each<{ name: string; change: (repo: string) => string }>([
  { name: "a bare repository", change: (repo) => repo },
  {
    name: "a checkout",
    change: (repo) => {
      const checkout = join(repo, "..", "checkout");
      git(repo, "clone", "--quiet", repo, checkout);
      return checkout;
    },
  },
  {
    name: "a checkout that is on no branch",
    change: (repo) => {
      const checkout = join(repo, "..", "detached");
      git(repo, "clone", "--quiet", repo, checkout);
      git(checkout, "checkout", "--quiet", "--detach");
      return checkout;
    },
  },
  {
    name: "a linked worktree",
    change: (repo) => {
      const linked = join(repo, "..", "linked");
      git(repo, "worktree", "add", "--quiet", "-b", "there", linked, "main");
      return linked;
    },
  },
  {
    name: "a repository whose HEAD names a branch that is not there",
    change: (repo) => {
      git(repo, "symbolic-ref", "HEAD", "refs/heads/none");
      return repo;
    },
  },
])("$name: its files say what git says", async ({ change }) => {
  const place = change(bareRepository());
  const [here, told] = [await ask(place), await askGit(place)];
  expect([...here.tips].sort()).toEqual([...told.tips].sort());
  expect(here.tips.size).toBeGreaterThan(0);
  // Git does not tell the name of a branch that is not there.
  if (told.head !== null) expect(here.head).toBe(told.head);
});

test("a pattern is a whole name, or all that begins so", async () => {
  const repo = bareRepository();
  const names = async (pattern: string) => [...(await ask(repo, [pattern])).tips.keys()].sort();
  expect(await names("refs/koryph/ledger")).toEqual(["refs/koryph/ledger"]);
  expect(await names("refs/koryph/ledger-*")).toEqual(["refs/koryph/ledger-1", "refs/koryph/ledger-2"]);
  expect(await names("refs/heads/a")).toEqual([]);
  expect(await names("refs/heads/a/*")).toEqual(["refs/heads/a/b"]);
});

test("of a ref that names no commit, and of refs kept in tables, git is asked", async () => {
  const repo = bareRepository();
  writeFileSync(join(repo, "refs/heads/half"), "half a li");
  expect([...(await ask(repo)).tips].sort()).toEqual([...(await askGit(repo)).tips].sort());
  // Git of today refuses what only a newer one can read; an empty list would say that there is no ledger.
  writeFileSync(join(repo, "HEAD"), "ref: refs/heads/.invalid\n");
  git(repo, "config", "core.repositoryFormatVersion", "1");
  git(repo, "config", "extensions.refStorage", "something-newer");
  await expect(ask(repo)).rejects.toThrow("cannot be read");
});

test("a folder that is gone, or no repository, does not answer", async () => {
  const folder = tempFolder();
  await expect(ask(folder)).rejects.toThrow("cannot be read");
  rmSync(folder, { recursive: true });
  await expect(ask(folder)).rejects.toThrow("cannot be read");
});
