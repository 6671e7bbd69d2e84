import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Repository } from "../world/state.js";
import { answerOnce } from "./kept-answers.js";

/** Nothing of the machine's own settings: what the sandbox does is the same wherever it runs. */
export function sandboxGitEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: "/nonexistent",
    LC_ALL: "C",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
  };
}

export interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface GitRun {
  readonly input?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Runs git in a bare repository; a non-zero exit is an answer. */
export function tryGit(gitDir: string, args: readonly string[], run: GitRun = {}): Promise<GitResult> {
  const ask = () => startGit(gitDir, args, run);
  // With an environment of its own it may see objects of a push that is refused later.
  return run.env === undefined ? answerOnce({ gitDir, args, input: run.input }, ask) : ask();
}

function startGit(gitDir: string, args: readonly string[], run: GitRun): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", [`--git-dir=${gitDir}`, ...args], {
      env: { ...sandboxGitEnvironment(), ...run.env },
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (piece: Buffer) => out.push(piece));
    child.stderr.on("data", (piece: Buffer) => err.push(piece));
    child.once("error", reject);
    child.once("close", (code) =>
      resolve({ code: code ?? 128, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString() }),
    );
    // Git may end before it has read everything; its exit code says why.
    child.stdin.on("error", () => {});
    child.stdin.end(run.input);
  });
}

export async function gitBytes(
  { gitDir }: Pick<Repository, "gitDir">,
  args: readonly string[],
  run: GitRun = {},
): Promise<Buffer> {
  const { code, stdout, stderr } = await tryGit(gitDir, args, run);
  if (code !== 0) throw new Error(`git ${args.join(" ")} ended with ${code}: ${stderr.trim()}`);
  return stdout;
}

/**
 * What a ref holds, from its file, which git puts in place whole; "absent" when there is no such ref, null where git has
 * to be asked. Of all that the sandbox asks git, this would be every other question.
 */
export async function readRefFile(
  { gitDir }: Pick<Repository, "gitDir">,
  ref: string,
): Promise<string | "absent" | null> {
  if (!/^(?:HEAD|refs(?:\/[A-Za-z0-9_][\w.@+-]*)+)$/.test(ref) || /\.\.|@\{/.test(ref)) return null;
  const text = await readFile(join(gitDir, ref), "utf8").catch(() => "");
  if (text === "") return existsSync(join(gitDir, "packed-refs")) ? null : "absent";
  const [, target, sha = null] = /^(?:ref: (refs\/\S+)|([0-9a-f]{40}))\n$/.exec(text) ?? [];
  return target === undefined ? sha : readRefFile({ gitDir }, target);
}

/** The commit a branch, tag, full ref or hash names; null when there is none. */
export async function resolveCommit(
  repository: Pick<Repository, "gitDir">,
  name: string,
  env?: GitRun["env"],
): Promise<string | null> {
  if (name === "" || name.startsWith("-")) return null;
  for (const candidate of /^[0-9a-f]{4,40}$/.test(name) || name.startsWith("refs/") || name === "HEAD"
    ? [name, `refs/heads/${name}`]
    : [`refs/heads/${name}`, `refs/tags/${name}`, `refs/${name}`]) {
    // Git takes nothing but commits for a branch; a tag may be anything.
    const branch = candidate.startsWith("refs/heads/") ? await readRefFile(repository, candidate) : null;
    if (branch === "absent") continue;
    if (branch !== null) return branch;
    const { code, stdout } = await tryGit(
      repository.gitDir,
      ["rev-parse", "--verify", "--quiet", "--end-of-options", `${candidate}^{commit}`],
      { env },
    );
    if (code === 0) return stdout.toString().trim();
  }
  return null;
}

export async function isAncestor(
  { gitDir }: Pick<Repository, "gitDir">,
  [older, newer]: readonly [string, string],
  env?: GitRun["env"],
): Promise<boolean> {
  return (await tryGit(gitDir, ["merge-base", "--is-ancestor", older, newer], { env })).code === 0;
}
