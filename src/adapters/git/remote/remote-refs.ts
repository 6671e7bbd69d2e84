import { readFile, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { worktreeAdvice } from "../../../core/replies/run/worktrees.js";
import { OutsideFault } from "../../../ports/outside-fault.js";
import { refsOnDisk } from "../exec/ref-files.js";
import { runGit } from "../exec/run-git.js";
import type { Remote } from "./remote.js";

/** A question takes seconds. */
const ANSWER_MS = 60_000;

/** What a remote says of the refs that it was asked for. */
export interface RemoteRefs {
  /** The branch that its HEAD names; null when HEAD was not asked for, or names no branch. */
  readonly head: string | null;
  /** Their objects by full name, `HEAD` among them; what is not there is missing here. */
  readonly tips: ReadonlyMap<string, string>;
}

type Reached = Pick<Remote, "url" | "env">;

/** Where refs are on the remote. A pattern is `HEAD`, the full name of a ref, or its beginning and a `*`. */
export async function askRemote(remote: Reached, patterns: readonly string[]): Promise<RemoteRefs> {
  const answer = await listRemote(remote, patterns);
  if ("unreachable" in answer)
    throw new OutsideFault(worktreeAdvice.unreachable(remote.url, answer.unreachable));
  return answer;
}

/** The same, for those who have words of their own for a remote that does not answer. */
export async function listRemote(
  { url, env }: Reached,
  patterns: readonly string[],
): Promise<RemoteRefs | { readonly unreachable: string }> {
  const here = await listOnDisk(url, patterns);
  if (here !== null) return here;
  const args = ["ls-remote", "--symref", "--", url, ...patterns];
  const answer = await runGit("/", args, { env, timeoutMs: ANSWER_MS });
  return answer.code === 0 ? refsIn(answer.stdout, patterns) : { unreachable: answer.stderr };
}

function refsIn(listing: string, patterns: readonly string[]): RemoteRefs {
  const tips = [...listing.matchAll(/^([0-9a-f]{40,64})\t(.+)$/gm)]
    .map(([, sha = "", ref = ""]) => [ref, sha] as const)
    // Git also lists names that only end so.
    .filter(([ref]) => isAsked(ref, patterns));
  return { head: /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(listing)?.[1] ?? null, tips: new Map(tips) };
}

function isAsked(ref: string, patterns: readonly string[]): boolean {
  return patterns.some((each) => (each.endsWith("*") ? ref.startsWith(each.slice(0, -1)) : ref === each));
}

/**
 * A repository on this disk, which is also what a project without a remote lands in, is asked before and after each
 * step. Git would start three processes to read the same files. Null is for whatever git must be asked about.
 */
async function listOnDisk(url: string, patterns: readonly string[]): Promise<RemoteRefs | null> {
  const gitDir = await gitDirOf(url);
  const listed = gitDir === null ? null : await refsOnDisk(gitDir, patterns.map(placeOf)).catch(() => null);
  if (listed === null) return null;
  const found = listed.filter(({ ref }) => isAsked(ref, patterns));
  const head = found.find(({ ref }) => ref === "HEAD")?.target ?? "";
  return {
    head: head.startsWith(HEADS) ? head.slice(HEADS.length) : null,
    tips: new Map(found.map(({ ref, sha }) => [ref, sha])),
  };
}

const HEADS = "refs/heads/";

/** The ref, or the folder that all refs of the pattern are in. */
function placeOf(pattern: string): string {
  return pattern.endsWith("*") ? pattern.slice(0, pattern.lastIndexOf("/")) : pattern;
}

async function gitDirOf(url: string): Promise<string | null> {
  if (!isAbsolute(url)) return null;
  for (const folder of [join(url, ".git"), url]) {
    const head = await readFile(join(folder, "HEAD"), "utf8").catch(() => null);
    if (head === null) continue;
    // Refs that are kept in tables leave this in place of a branch.
    if (head.startsWith("ref: refs/heads/.invalid")) return null;
    // The git folder of a linked worktree has its refs elsewhere.
    const whole = await Promise.all(["refs", "objects"].map((name) => isFolder(join(folder, name))));
    return whole.every(Boolean) ? folder : null;
  }
  return null;
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}
