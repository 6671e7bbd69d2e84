import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compareCarried } from "../../../../src/adapters/git/pulls/compare-carried.js";
import { git } from "../../../support/cli/project.js";
import { tempFolder } from "../../../support/temp-folder.js";

/** Work that was approved on one commit of the base branch, and replayed on the next. */
function world() {
  const work = tempFolder();
  const commit = (file: string, message: string) => {
    writeFileSync(join(work, file), `${message}\n`);
    git(work, "add", "--all");
    git(work, "commit", "--quiet", "--message", message);
    return git(work, "rev-parse", "HEAD").trim();
  };
  git(work, "init", "--quiet", "--initial-branch=main");
  const approvedOn = commit("a.txt", "feat: start");
  git(work, "checkout", "--quiet", "-b", "shoes");
  const approved = commit("shoes.txt", "feat: shoes");
  git(work, "checkout", "--quiet", "main");
  const headOn = commit("hats.txt", "feat: hats");
  git(work, "checkout", "--quiet", "-b", "rebased");
  git(work, "cherry-pick", approved);
  const head = git(work, "rev-parse", "HEAD").trim();
  return { work, approvedOn, headOn, carried: { approved, head, base: headOn } };
}

test("the commits of both heads are told side by side", async () => {
  const { work, approvedOn, headOn, carried } = world();
  expect(await compareCarried(join(work, ".git"), carried)).toEqual({
    approvedOn,
    headOn,
    rangeDiff: expect.stringMatching(/^1: {2}[0-9a-f]{7,} = 1: {2}[0-9a-f]{7,} feat: shoes\n$/),
  });
});

test("without their files there is no range-diff, and nobody is asked for them", async () => {
  const { work, approvedOn, headOn, carried } = world();
  const bare = join(tempFolder(), "bare.git");
  git(work, "config", "uploadpack.allowFilter", "true");
  git(work, "clone", "--quiet", "--bare", "--filter=blob:none", `file://${work}`, bare);
  git(bare, "remote", "set-url", "origin", "http://127.0.0.1:1/none.git");
  expect(await compareCarried(bare, carried)).toEqual({ approvedOn, headOn, rangeDiff: null });
});

test("commits that are not here are not compared", async () => {
  const { work, carried } = world();
  expect(await compareCarried(join(work, ".git"), { ...carried, approved: "1".repeat(40) })).toBeNull();
});
