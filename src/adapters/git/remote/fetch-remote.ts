import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findDefaultBranch } from "../../../core/land/default-branch.js";
import { landingAdvice } from "../../../core/replies/land/landing-repo.js";
import { worktreeAdvice } from "../../../core/replies/run/worktrees.js";
import { UserError } from "../../../lib/user-error.js";
import { hasCommitObject } from "../exec/describe-objects.js";
import { setRefs } from "../exec/move-refs-standing.js";
import { initialBranch } from "../exec/operator-git.js";
import { quietOutput } from "../exec/quiet-git.js";
import { type ListedRef, readRefFiles } from "../exec/ref-files.js";
import { runGit } from "../exec/run-git.js";
import type { Remote } from "./remote.js";
import { askRemote, type RemoteRefs } from "./remote-refs.js";

/**
 * Old histories hold slips that tools of their day made and that harm nobody. The team's own history is
 * taken with them; an agent's commits are not.
 */
export const FORGIVEN = [
  ...["zeroPaddedFilemode", "missingSpaceBeforeDate", "badTimezone", "missingEmail", "badEmail"],
  ...["missingNameBeforeEmail", "badDateOverflow", "zeroPaddedDate", "missingTaggerEntry", "badTagName"],
].flatMap((message) => ["-c", `fetch.fsck.${message}=ignore`]);

const LOCK_TRIES = 10;
const LOCK_PAUSE_MS = 50;
const LOCKED = /cannot lock ref|unable to create .*\.lock/i;

/** A first fetch of a large history takes minutes; nothing honest takes longer. */
const FETCH_MS = 3_600_000;

const QUIETLY = ["--quiet", "--no-write-fetch-head", "--no-auto-maintenance", "--no-recurse-submodules"];

export interface Tip {
  readonly defaultBranch: string;
  readonly base: string;
  /** Newest receipt of a landing; null when there is none. Learnt with the same question. */
  readonly receipts: string | null;
  /** Where the operator's checkout is what lands: the other branch that is checked out there. */
  readonly elsewhere?: string;
}

export interface Fetched extends Tip {
  /** Saved work the remote has: bead → commit. Learnt with the same question. */
  readonly wip: ReadonlyMap<string, string>;
}

/** Brings `repo.git` to the remote's default branch. Costs one question when nothing changed. */
export async function fetchDefaultBranch(
  repo: string,
  remote: Remote,
  { operatorRepo, asked }: { readonly operatorRepo: string; readonly asked: string | null },
): Promise<Fetched> {
  const refs = originRefs(repo);
  // A remote's HEAD is the team's word, also when it changes. A checkout has no such word: there the first answer counts.
  const kept = isCheckout(remote, operatorRepo) ? await refs.then((found) => keptBranch(found)) : null;
  const [wanted, before] = await Promise.all([findBase(remote, { operatorRepo, asked, kept }), refs]);
  const ref = `${ORIGIN}${wanted.defaultBranch}`;
  const changed = before.get(ref)?.sha !== wanted.base;
  // What we pushed ourselves need not be fetched again. A fetch that was cut short leaves no commit without its history.
  const here = changed && (await hasCommitObject(repo, wanted.base));
  if (here) await setRefs(repo, `update ${ref} ${wanted.base}\n`);
  else if (changed) await fetchInto(repo, remote, `+refs/heads/${wanted.defaultBranch}:${ref}`);
  if (before.get(`${ORIGIN}HEAD`)?.target !== ref) {
    await quietOutput(repo, ["symbolic-ref", `${ORIGIN}HEAD`, ref]);
  }
  if (!changed || here) return wanted;
  // The branch may have moved between the question and the fetch.
  return { ...wanted, base: (await originRefs(repo)).get(ref)?.sha ?? wanted.base };
}

function isCheckout(remote: Remote, operatorRepo: string): boolean {
  return remote.url === resolve(operatorRepo);
}

/** Where a run would begin, as one question to the remote tells. `kept` is the branch that was found before. */
export function findBase(
  remote: Remote,
  { kept, ...given }: Omit<Place, "isCheckout"> & { readonly kept: string | null },
): Promise<Fetched> {
  const place = { ...given, isCheckout: isCheckout(remote, given.operatorRepo) };
  const branch = place.asked ?? kept;
  return branch === null ? foundHead(remote, place) : namedHead(remote, { ...place, branch });
}

interface Place {
  readonly operatorRepo: string;
  /** `default_branch` of the project file. */
  readonly asked: string | null;
  /** There is no remote: the operator's own repository is what lands. */
  readonly isCheckout: boolean;
}

const ORIGIN = "refs/remotes/origin/";

function keptBranch(refs: Awaited<ReturnType<typeof originRefs>>): string | null {
  const target = refs.get(`${ORIGIN}HEAD`)?.target ?? "";
  return target.startsWith(ORIGIN) ? target.slice(ORIGIN.length) : null;
}

async function originRefs(repo: string): Promise<ReadonlyMap<string, ListedRef>> {
  const listed = await readRefFiles(repo, ["refs/remotes/origin"]);
  return new Map(listed.map((entry) => [entry.ref, entry]));
}

/** Brings the bead's saved work from the remote; false when the remote has none. */
export async function fetchWip(repo: string, remote: Remote, bead: string): Promise<boolean> {
  const ref = `refs/koryph/wip/${bead}`;
  const { tips } = await askRemote(remote, [ref]);
  if (!tips.has(ref)) return false;
  await fetchInto(repo, remote, `+${ref}:${ref}`, ["--no-tags"]);
  return true;
}

/** Brings the chain of receipts, wherever its ref was moved to. */
export async function fetchReceipts(repo: string, remote: Remote): Promise<void> {
  await fetchInto(repo, remote, `+${RECEIPTS_REF}:${RECEIPTS_REF}`, ["--no-tags"]);
}

/**
 * Brings a pull request's head, as GitHub keeps it, and the branch that it is for under refs of ours; null when the
 * remote does not have both.
 */
export async function fetchPull(
  repo: string,
  remote: Remote,
  wanted: {
    readonly pull: number;
    readonly baseBranch: string;
    readonly refs: { readonly head: string; readonly base: string };
  },
): Promise<{ readonly head: string; readonly tip: string } | null> {
  const { pull, baseBranch, refs } = wanted;
  const theirs = { head: `refs/pull/${pull}/head`, base: `refs/heads/${baseBranch}` };
  const { tips } = await askRemote(remote, [theirs.head, theirs.base]);
  if (!tips.has(theirs.head) || !tips.has(theirs.base)) return null;
  for (const side of ["head", "base"] as const)
    await fetchInto(repo, remote, `+${theirs[side]}:${refs[side]}`, ["--no-tags"]);
  const here = await quietOutput(repo, ["rev-parse", `${refs.head}^{commit}`, `${refs.base}^{commit}`]);
  const [head = "", tip = ""] = here.split("\n");
  return { head, tip };
}

async function fetchInto(repo: string, remote: Remote, refspec: string, more: string[] = []): Promise<void> {
  const args = [...FORGIVEN, "fetch", ...QUIETLY, ...more, remote.url, refspec];
  const fetch = () => runGit(repo, args, { env: { ...remote.env, GIT_DIR: repo }, timeoutMs: FETCH_MS });
  let answer = await fetch();
  // Another process of this machine fetches the same ref: a landing beside an engine, for instance.
  for (let left = LOCK_TRIES; left > 0 && LOCKED.test(answer.stderr); left -= 1) {
    await pause(LOCK_PAUSE_MS);
    answer = await fetch();
  }
  if (answer.code !== 0) throw UserError.of(worktreeAdvice.unreachable(remote.url, answer.stderr));
}

/** The branch that the remote's HEAD names, or else one that is usually the default branch. */
async function foundHead(remote: Remote, { operatorRepo, isCheckout }: Place): Promise<Fetched> {
  const asked = ["HEAD", WIP, RECEIPTS_REF, ...(isCheckout ? [BRANCHES] : [])];
  const answer = await askRemote(remote, asked);
  // A checkout's HEAD is wherever somebody is just now.
  const named = isCheckout ? null : answer.head;
  const base = answer.tips.get("HEAD");
  if (named !== null && base !== undefined) return { defaultBranch: named, base, ...othersIn(answer) };
  const heads = isCheckout ? answer : await askRemote(remote, [BRANCHES]);
  const branches = branchesIn(heads);
  if (branches.length === 0) throw UserError.of(worktreeAdvice.noCommit(remote.url));
  const configured = await initialBranch(operatorRepo);
  const found = findDefaultBranch({ configured, branches, onlyOne: isCheckout });
  const tip = found === null ? undefined : heads.tips.get(`${HEADS}${found}`);
  if (found === null || tip === undefined)
    throw UserError.of(
      isCheckout ? landingAdvice.whichBranch(branches) : landingAdvice.noHead(remote.url, branches),
    );
  return withCheckedOut({ defaultBranch: found, base: tip, ...othersIn(answer) }, answer, isCheckout);
}

/** The branch that the project file names, or that was found first. */
async function namedHead(
  remote: Remote,
  { asked, branch, isCheckout }: Place & { readonly branch: string },
): Promise<Fetched> {
  const ref = `${HEADS}${branch}`;
  const answer = await askRemote(remote, ["HEAD", WIP, RECEIPTS_REF, ref]);
  const base = answer.tips.get(ref);
  if (base === undefined) {
    const others = branchesIn(await askRemote(remote, [BRANCHES]));
    const advice = asked === null ? landingAdvice.branchGone : landingAdvice.noSuchBranch;
    throw UserError.of(advice(branch, others));
  }
  return withCheckedOut({ defaultBranch: branch, base, ...othersIn(answer) }, answer, isCheckout);
}

/** With the other branch that is checked out, where the checkout is what lands. */
function withCheckedOut(found: Fetched, { head }: RemoteRefs, isCheckout: boolean): Fetched {
  return !isCheckout || head === null || head === found.defaultBranch ? found : { ...found, elsewhere: head };
}

const HEADS = "refs/heads/";
const BRANCHES = `${HEADS}*`;
const SAVED = "refs/koryph/wip/";
const WIP = `${SAVED}*`;
/** The chain of receipts, here and on the remote. */
export const RECEIPTS_REF = "refs/koryph/receipts";

function branchesIn({ tips }: RemoteRefs): string[] {
  return below(tips, HEADS).map(([name]) => name);
}

function othersIn({ tips }: RemoteRefs): Pick<Fetched, "wip" | "receipts"> {
  return { wip: new Map(below(tips, SAVED)), receipts: tips.get(RECEIPTS_REF) ?? null };
}

/** The refs that begin so, by the rest of their names. */
function below(tips: RemoteRefs["tips"], start: string): [string, string][] {
  return [...tips]
    .filter(([ref]) => ref.startsWith(start))
    .map(([ref, sha]) => [ref.slice(start.length), sha]);
}
