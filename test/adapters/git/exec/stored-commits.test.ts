import { execFileSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import {
  followsNearby,
  lineOfCommits,
  storedCommits,
} from "../../../../src/adapters/git/exec/stored-commits.js";
import { CloneWorld, git } from "../../../support/engine/clone-world.js";

/** Commits on one another as the rows say: each row names the places of its parents. */
function history(repo: string, rows: readonly (readonly number[])[]): string[] {
  const shas: string[] = [];
  for (const [at, parents] of rows.entries()) {
    const args = parents.flatMap((parent) => ["-p", shas[parent] ?? ""]);
    shas.push(git(repo, "commit-tree", "-m", `${at}`, ...args, "main^{tree}"));
  }
  return shas;
}

function gitSays(repo: string, ancestor: string, commit: string): boolean {
  const answer = execFileSync("git", ["merge-base", ancestor, commit], { cwd: repo, encoding: "utf8" });
  return answer.trim() === ancestor;
}

test("what follows what is told as git tells it, across forks and merges", async () => {
  const { remote: repo } = new CloneWorld();
  const shas = history(repo, [[], [0], [1], [1], [2, 3], [3], [5], [4, 6], [0], [8], [7, 9]]);
  const wrong: string[] = [];
  for (const [a, one] of shas.entries())
    for (const [b, other] of shas.entries())
      if ((await followsNearby(repo, one, other)) !== gitSays(repo, one, other)) wrong.push(`${a} in ${b}`);
  expect(wrong).toEqual([]);
});

test("histories that share nothing do not follow one another; what is not here is left to git", async () => {
  const { remote: repo } = new CloneWorld();
  const [one = "", other = ""] = history(repo, [[], []]);
  expect(await followsNearby(repo, one, git(repo, "rev-parse", "main"))).toBe(false);
  expect(await followsNearby(repo, other, "0".repeat(39).concat("1"))).toBeNull();
});

test("what is far away is left to git", async () => {
  const { remote: repo } = new CloneWorld();
  const shas = history(repo, [[], ...Array.from({ length: 40 }, (_, at) => [at])]);
  const [first = "", last = "", near = ""] = [shas[0], shas[40], shas[20]];
  expect(await followsNearby(repo, first, last)).toBeNull();
  expect(await followsNearby(repo, near, last)).toBe(true);
  expect(await followsNearby(repo, last, first)).toBe(false);
  expect(await lineOfCommits(repo, { base: first, head: last })).toBeNull();
});

test("a line is told oldest first, and nothing with a merge in it is a line", async () => {
  const { remote: repo } = new CloneWorld();
  const [root = "", one = "", two = "", side = "", merged = ""] = history(repo, [[], [0], [1], [0], [2, 3]]);
  const shas = (await lineOfCommits(repo, { base: root, head: two }))?.map(({ sha }) => sha);
  expect(shas).toEqual([one, two]);
  expect(await lineOfCommits(repo, { base: two, head: two })).toEqual([]);
  expect(await lineOfCommits(repo, { base: root, head: merged })).toBeNull();
  expect(await lineOfCommits(repo, { base: side, head: two })).toBeNull();
});

test("a commit whose file holds another one is not believed", async () => {
  const { remote: repo } = new CloneWorld();
  const [sha = ""] = history(repo, [[]]);
  const other = execFileSync("git", ["cat-file", "commit", "main"], { cwd: repo });
  const file = join(repo, "objects", sha.slice(0, 2), sha.slice(2));
  chmodSync(file, 0o644);
  writeFileSync(file, deflateSync(Buffer.concat([Buffer.from(`commit ${other.length}\0`), other])));
  expect(await storedCommits(repo, [sha])).toBeNull();
});
