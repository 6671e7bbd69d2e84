import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { failureOf, openGit } from "../../../../src/adapters/git/exec/open-git.js";
import { operatorPrint } from "../../../../src/adapters/git/exec/operator-git.js";
import { programSettings, tripwire } from "../../../support/engine/tripwire.js";
import { tempFolder } from "../../../support/temp-folder.js";

let top: string;
let repository: string;

beforeEach(async () => {
  top = tempFolder();
  repository = join(top, "repository");
  mkdirSync(repository);
  await (await openGit(repository)).init();
});

afterEach(() => vi.unstubAllEnvs());

test("no program runs that the repository's own settings name", async () => {
  const { program, fired } = tripwire(top);
  mkdirSync(join(top, "hooks"));
  for (const hook of ["pre-commit", "post-commit", "post-index-change"])
    writeFileSync(join(top, "hooks", hook), `#!/bin/sh\n${program} ${hook}\n`, { mode: 0o755 });
  writeFileSync(join(repository, "a.txt"), "a\n");
  writeFileSync(
    join(repository, ".git", "config"),
    `[core]\n\trepositoryformatversion = 0\n${programSettings(program, join(top, "hooks"))}`,
  );

  const git = await openGit(repository, ["user.name=A", "user.email=a@example.invalid"]);
  await git.add(".").commit("feat: a");
  await git.status();
  await git.log();

  expect(fired()).toBe("");
});

test("the caller's own variables do not lead git elsewhere", async () => {
  vi.stubEnv("GIT_DIR", "/nonexistent");
  vi.stubEnv("GIT_EXTERNAL_DIFF", "/nonexistent");

  const answer = await operatorPrint(repository, ["rev-parse", "--show-toplevel"]);

  expect(answer).toEqual({ code: 0, stdout: `${repository}\n`, stderr: "" });
});

test("a command that fails tells its exit code and what git said", async () => {
  const answer = await operatorPrint(repository, ["remote", "get-url", "--", "origin"]);

  expect(answer).toMatchObject({ code: 2, stderr: "error: No such remote 'origin'\n" });
});

test("a folder that is no repository has no answer", async () => {
  expect(await operatorPrint(top, ["rev-parse", "--show-toplevel"])).toBeNull();
});

test("files that look like a repository do not count as one", async () => {
  await (await openGit(top)).init(true, [join(top, "bare")]);

  expect(await operatorPrint(join(top, "bare"), ["rev-parse", "--git-dir"])).toMatchObject({ code: 128 });
});

test("a machine without git is told so", async () => {
  vi.stubEnv("PATH", "/nonexistent");

  await expect(operatorPrint(repository, ["status"])).rejects.toThrow("git was not found");
});

test("an error that is not git's is thrown on", () => {
  const error = new Error("something else");

  expect(() => failureOf(error)).toThrow(error);
});
