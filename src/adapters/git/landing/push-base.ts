import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { pushRefusal, wouldOverwrite } from "../../../core/replies/land/landing-repo.js";
import type { BasePush } from "../../../ports/repo.js";
import { followsCommit } from "../exec/ancestry.js";
import { askRemote } from "../exec/fetch-remote.js";
import { operatorGit } from "../exec/operator-git.js";
import { quietGit, quietOutput } from "../exec/quiet-git.js";
import type { Remote } from "../exec/remote.js";
import { type GitAnswer, runGit } from "../exec/run-git.js";

export interface BaseMove {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
}

export interface PushFacts {
  readonly repo: string;
  readonly remote: Remote;
  /** The operator's checkout, where it is what is pushed to; null for a remote. */
  readonly checkout: string | null;
  /** Brings in what the remote has now. */
  readonly fetch: () => Promise<unknown>;
}

const PUSH = "push --porcelain --no-verify --no-follow-tags --no-signed --recurse-submodules=no".split(" ");

/** A remote that has not answered by now will be asked what it holds instead. */
const TIMEOUT_MS = 300_000;

/**
 * Moves a branch from one commit to a later one. Whatever git says about a push that did not go through, what
 * the remote holds decides: a connection can be cut after the push arrived.
 */
export async function pushBase(facts: PushFacts, move: BaseMove): Promise<BasePush> {
  await mustFollow(facts.repo, move);
  const hidden = await overwritten(facts, move);
  if (hidden !== null) return { kind: "refused", why: wouldOverwrite(hidden) };
  const answer = await push(facts, move, "updateInstead");
  if (answer.code === 0) return { kind: "pushed" };
  const { remote } = facts;
  const listed = await askRemote({ ...remote, url: remote.pushUrl }, [`refs/heads/${move.branch}`]);
  const there = listed.split("\n").find((line) => line.endsWith(`\trefs/heads/${move.branch}`));
  const tip = there?.split("\t")[0] ?? null;
  if (tip === move.to) return { kind: "pushed" };
  if (tip !== move.from) return (await isBelow(facts, move.to, tip)) ? { kind: "pushed" } : { kind: "moved" };
  if (await isHalfMoved(facts, move)) {
    const ended = await push(facts, move, "ignore");
    if (ended.code === 0) return { kind: "pushed" };
  }
  return { kind: "refused", why: pushRefusal(`${answer.stdout}\n${answer.stderr}`) };
}

/**
 * A file in the operator's checkout that the landing would write over and nobody could bring back: git spares files
 * that are merely untracked, and takes ignored ones for worthless. Null when there is none.
 */
async function overwritten(
  { repo, checkout }: PushFacts,
  { branch, from, to }: BaseMove,
): Promise<string | null> {
  if (checkout === null) return null;
  const head = await operatorGit(checkout, ["symbolic-ref", "--quiet", "HEAD"]);
  if (head?.stdout.trimEnd() !== `refs/heads/${branch}`) return null;
  const args = ["diff", "--raw", "-z", "--no-abbrev", "--no-renames", "--diff-filter=A", from, to, "--"];
  const fields = (await quietOutput(repo, args)).split("\0");
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const blob = fields[at]?.split(" ")[3] ?? "";
    const path = fields[at + 1] ?? "";
    const above = await inTheWay(checkout, path);
    if (above !== null) return above;
    const file = join(checkout, path);
    if ((await lstat(file).catch(() => null)) === null) continue;
    const there = await quietGit(repo, ["hash-object", "--no-filters", "--", file]);
    if (there.code !== 0 || there.stdout.trimEnd() !== blob) return path;
  }
  return null;
}

/**
 * A file or link that stands where a new path needs a folder and that git does not track: git would remove it, or write
 * through it. What git tracks there goes with the landing and comes back with the commit before it. Null when all is
 * free.
 */
async function inTheWay(checkout: string, path: string): Promise<string | null> {
  const names = path.split("/").slice(0, -1);
  for (let length = 1; length <= names.length; length += 1) {
    const folder = names.slice(0, length).join("/");
    const found = await lstat(join(checkout, folder)).catch(() => null);
    if (found === null) return null;
    if (found.isDirectory()) continue;
    const tracked = await operatorGit(checkout, ["ls-files", "--error-unmatch", "--", `:(literal)${folder}`]);
    return tracked?.code === 0 ? null : folder;
  }
  return null;
}

/** With a lease git moves a branch to any commit whatever. */
async function mustFollow(repo: string, { branch, from, to }: BaseMove): Promise<void> {
  if ((await followsCommit(repo, from, to)) !== true)
    throw new Error(`${branch} may not move from ${from} to ${to}, which does not follow it`);
}

function push(
  { repo, remote, checkout }: PushFacts,
  { branch, from, to }: BaseMove,
  checkedOut: "updateInstead" | "ignore",
): Promise<GitAnswer> {
  const ref = `refs/heads/${branch}`;
  // A remote's hooks are the team's and run there. In the operator's own checkout a hook would meet files that
  // an agent wrote, which nobody asked it to.
  const settings = `-c core.hooksPath=/dev/null -c core.fsmonitor=false -c receive.denyCurrentBranch=${checkedOut}`;
  const receive = checkout === null ? [] : [`--receive-pack=git ${settings} receive-pack`];
  const args = [
    ...PUSH,
    ...receive,
    `--force-with-lease=${ref}:${from}`,
    "--",
    remote.pushUrl,
    `${to}:${ref}`,
  ];
  return runGit(repo, args, { env: { ...remote.env, GIT_DIR: repo }, timeoutMs: TIMEOUT_MS });
}

/** Whether the remote went on from `to`: it was pushed after all, and then others pushed. */
async function isBelow({ repo, fetch }: PushFacts, to: string, tip: string | null): Promise<boolean> {
  if (tip === null) return false;
  await fetch();
  return (await followsCommit(repo, to, tip)) === true;
}

/**
 * Git writes the files of a checkout first and moves its branch after that. Killed in between it leaves what looks
 * like somebody's changes and is exactly the commit to land; then the branch alone is left to move.
 */
async function isHalfMoved({ checkout }: PushFacts, { branch, to }: BaseMove): Promise<boolean> {
  if (checkout === null) return false;
  const answers = await Promise.all(
    [
      ["symbolic-ref", "--quiet", "HEAD"],
      ["diff-index", "--quiet", "--cached", to, "--"],
      ["diff-index", "--quiet", to, "--"],
    ].map((args) => operatorGit(checkout, args)),
  );
  const [head] = answers;
  return answers.every((answer) => answer?.code === 0) && head?.stdout.trimEnd() === `refs/heads/${branch}`;
}
