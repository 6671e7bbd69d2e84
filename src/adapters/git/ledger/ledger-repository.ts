import { appendFile, mkdir, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ledgerAdvice } from "../../../core/replies/ledger/ledger.js";
import { UserError } from "../../../lib/user-error.js";
import { type GitAnswer, type GitOptions, runGit, streamGit } from "../exec/run-git.js";

export const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/**
 * What was appended must survive a power cut, hooks of the operator's own git must not run here, and
 * nothing may tidy up behind our back: repacking has its own moment.
 */
const SETTINGS = `[core]
	fsync = committed,reference
	fsyncMethod = fsync
	hooksPath = /dev/null
	logAllRefUpdates = false
	filesRefLockTimeout = 1000
[gc]
	auto = 0
[maintenance]
	auto = false
[i18n]
	commitEncoding = UTF-8
	logOutputEncoding = UTF-8
`;

/** The bare repository, made when it is not there. Half-made ones are never seen under its name. */
export async function openLedgerRepository(gitDir: string): Promise<void> {
  if (await isRepository(gitDir)) return;
  await mkdir(dirname(gitDir), { recursive: true }).catch(cannotWrite(gitDir));
  const draft = await mkdtemp(join(dirname(gitDir), `.${basename(gitDir)}-`)).catch(cannotWrite(gitDir));
  try {
    const made = await runGit(draft, ["init", "--quiet", "--bare", "--template=", draft]);
    if (made.code !== 0) throw UserError.of(ledgerAdvice.unwritable(gitDir, made.stderr));
    await appendFile(join(draft, "config"), SETTINGS).catch(cannotWrite(gitDir));
    // Git knows the empty tree without having it, but not every server does.
    await mustGit(draft, ["mktree"], { input: "" });
    await rename(draft, gitDir);
  } catch (error) {
    // Another process was faster: its repository is as good as ours.
    if (await isRepository(gitDir)) return;
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOTEMPTY" || code === "EEXIST" || code === "ENOTDIR")
      throw UserError.of(ledgerAdvice.notOurs(gitDir));
    throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function isRepository(gitDir: string): Promise<boolean> {
  const found = await stat(join(gitDir, "HEAD")).catch(() => null);
  return found !== null;
}

function cannotWrite(gitDir: string): (error: Error) => never {
  return (error) => {
    throw UserError.of(ledgerAdvice.unwritable(gitDir, error.message));
  };
}

/** Never searches upwards for a repository, and never follows a replacement somebody pushed. */
function inRepository(gitDir: string, args: readonly string[]): string[] {
  return [`--git-dir=${gitDir}`, "--no-replace-objects", ...args];
}

export function ledgerGit(gitDir: string, args: readonly string[], options?: GitOptions): Promise<GitAnswer> {
  return runGit(gitDir, inRepository(gitDir, args), options);
}

export function streamLedgerGit(gitDir: string, args: readonly string[]): AsyncGenerator<string> {
  return streamGit(gitDir, inRepository(gitDir, args));
}

/** For commands that fail only when disk or permissions are in the way. */
export async function mustGit(
  gitDir: string,
  args: readonly string[],
  options?: GitOptions,
): Promise<string> {
  const { code, stdout, stderr } = await ledgerGit(gitDir, args, options);
  if (code !== 0) throw UserError.of(ledgerAdvice.unwritable(gitDir, stderr));
  return stdout;
}
