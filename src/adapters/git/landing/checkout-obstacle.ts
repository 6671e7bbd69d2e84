import { lstat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { CheckoutObstacle } from "../../../core/land/checkout-obstacle.js";
import { checkoutWords } from "../../../core/replies/land/landing-repo.js";
import { operatorGit } from "../exec/operator-git.js";
import { quietGit, quietOutput } from "../exec/quiet-git.js";
import { changedFiles, isOnBranch } from "./operator-checkout.js";

export interface BaseMove {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
}

interface CheckoutFacts {
  readonly repo: string;
  /** The operator's checkout, where it is what is pushed to; null for a remote. */
  readonly checkout: string | null;
}

/**
 * What keeps the operator's checkout from taking a move of its branch as it stands; null when nothing is in the way. A
 * checkout on another branch is not touched by the move.
 */
export async function findCheckoutObstacle(
  facts: CheckoutFacts,
  move: BaseMove,
): Promise<CheckoutObstacle | null> {
  const { repo, checkout } = facts;
  if (checkout === null || !(await isOnBranch(checkout, move.branch)) || (await isHalfMoved(facts, move)))
    return null;
  const any = (await locked(checkout)) ?? (await uncommitted(checkout));
  if (any !== null) return { why: any, ofThisWork: false };
  const why = await untracked({ repo, checkout }, move);
  return why === null ? null : { why, ofThisWork: true };
}

/** Most of git's own locks are gone sooner: an editor asks for the status every few seconds. */
const PASSING_MS = 1_000;

/** The lock with which git keeps others from the index; git that was killed leaves it behind. */
async function locked(checkout: string): Promise<string | null> {
  const answer = await operatorGit(checkout, ["rev-parse", "--git-path", "index.lock"]);
  if (answer?.code !== 0) return null;
  const lock = answer.stdout.trimEnd();
  const look = () => lstat(resolve(checkout, lock)).catch(() => null);
  const found = await look();
  if (found === null) return null;
  const age = Date.now() - found.mtimeMs;
  if (age >= PASSING_MS) return checkoutWords.locked(lock);
  await delay(PASSING_MS);
  return (await look()) === null ? null : checkoutWords.locked(lock);
}

/** What git itself refuses to update, in its order: first the files, then the index. */
async function uncommitted(checkout: string): Promise<string | null> {
  // Git that cannot tell says so, in its own words, when it is asked to move the branch.
  const changed = await changedFiles(checkout, "no");
  const unstaged = changed.filter(({ staged }) => !staged);
  if (unstaged.length > 0) return checkoutWords.unstaged(unstaged.map(({ path }) => path));
  return changed.length > 0 ? checkoutWords.staged(changed.map(({ path }) => path)) : null;
}

type Place = CheckoutFacts & { readonly checkout: string };

/**
 * What stands where the move puts something new, and git does not track. Git spares files that are merely untracked,
 * and takes ignored ones for worthless: what would be lost is refused all the same.
 */
async function untracked({ repo, checkout }: Place, { from, to }: BaseMove): Promise<string | null> {
  const args = ["diff", "--raw", "-z", "--no-abbrev", "--no-renames", "--diff-filter=A", from, to, "--"];
  const fields = (await quietOutput(repo, args)).split("\0");
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const blob = fields[at]?.split(" ")[3] ?? "";
    const path = fields[at + 1] ?? "";
    const why = (await above(checkout, path)) ?? (await inPlaceOf({ repo, checkout }, path, blob));
    if (why !== null) return why;
  }
  return null;
}

async function inPlaceOf({ repo, checkout }: Place, path: string, blob: string): Promise<string | null> {
  const file = join(checkout, path);
  const found = await lstat(file).catch(() => null);
  if (found === null) return null;
  if (found.isDirectory()) {
    const others = await operatorGit(checkout, ["ls-files", "--others", "-z", "--", `:(literal)${path}`]);
    const [first = ""] = others?.stdout.split("\0") ?? [];
    return first === "" ? null : checkoutWords.wouldOverwrite(first);
  }
  const there = await quietGit(repo, ["hash-object", "--no-filters", "--", file]);
  if (there.code !== 0 || there.stdout.trimEnd() !== blob) return checkoutWords.wouldOverwrite(path);
  const ignored = await operatorGit(checkout, ["check-ignore", "--quiet", "--", path]);
  return ignored?.code === 0 ? null : checkoutWords.untracked(path);
}

/**
 * A file or link that stands where a new path needs a folder and that git does not track: git would remove it, or write
 * through it. What git tracks there goes with the landing and comes back with the commit before it. Null when all is
 * free.
 */
async function above(checkout: string, path: string): Promise<string | null> {
  const names = path.split("/").slice(0, -1);
  for (let length = 1; length <= names.length; length += 1) {
    const folder = names.slice(0, length).join("/");
    const found = await lstat(join(checkout, folder)).catch(() => null);
    if (found === null) return null;
    if (found.isDirectory()) continue;
    const tracked = await operatorGit(checkout, ["ls-files", "--error-unmatch", "--", `:(literal)${folder}`]);
    return tracked?.code === 0 ? null : checkoutWords.wouldOverwrite(folder);
  }
  return null;
}

/**
 * Git writes the files of a checkout first and moves its branch after that. Killed in between it leaves what looks
 * like somebody's changes and is exactly the commit to land; then the branch alone is left to move.
 */
export async function isHalfMoved({ checkout }: CheckoutFacts, { branch, to }: BaseMove): Promise<boolean> {
  if (checkout === null || !(await isOnBranch(checkout, branch))) return false;
  const answers = await Promise.all(
    [
      ["diff-index", "--quiet", "--cached", to, "--"],
      ["diff-index", "--quiet", to, "--"],
    ].map((args) => operatorGit(checkout, args)),
  );
  return answers.every((answer) => answer?.code === 0);
}
