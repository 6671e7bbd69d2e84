import { existsSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { homeAdvice, registryAdvice } from "../../core/replies/config/home.js";
import { UserError } from "../../lib/user-error.js";
import { runGit } from "../git/exec/run-git.js";

/** Recording a change takes milliseconds; a git lock this old was left by a machine that went down. */
const ABANDONED_MS = 10 * 60 * 1000;

/** A person's settings must not sign, hook or otherwise change what is recorded here. */
const SETTINGS = [
  "user.name=koryph",
  "user.email=koryph@localhost",
  "commit.gpgSign=false",
  "core.hooksPath=/dev/null",
  "core.excludesFile=/dev/null",
  "core.autocrlf=false",
  "gc.auto=0",
].flatMap((setting) => ["-c", setting]);

/** The system's words for it, which git repeats. */
const FULL = /no space left|quota exceeded/i;

/** All but drafts that a killed process left. */
const ENTRIES = [".", ":(exclude)*.new"];

/** Records whatever is in the folder now as one commit, so that `git revert` undoes it. Nothing new, no commit. */
export async function recordChanges(folder: string, subject: string): Promise<void> {
  if (!existsSync(join(folder, ".git", "HEAD"))) {
    await git(folder, ["init", "--quiet", "--template=", "--initial-branch=main"]);
  }
  await removeAbandonedLock(join(folder, ".git", "index.lock"));
  const news = await git(folder, ["status", "--porcelain", "--untracked-files=all", "--", ...ENTRIES]);
  if (news === "") return;
  await git(folder, ["add", "--all", "--", ...ENTRIES]);
  await git(folder, ["commit", "--quiet", "--no-verify", "-m", subject]);
}

async function git(folder: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runGit(folder, [...SETTINGS, ...args]);
  if (code !== 0 && FULL.test(stderr)) throw UserError.of(homeAdvice.full(folder));
  if (code !== 0) throw UserError.of(registryAdvice.gitFailed(folder, stderr));
  return stdout;
}

async function removeAbandonedLock(path: string): Promise<void> {
  const age = await stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
  if (age > ABANDONED_MS) await rm(path, { force: true });
}
