import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { landingAdvice } from "../../../core/replies/land/landing-repo.js";
import { worktreeAdvice } from "../../../core/replies/run/worktrees.js";
import { UserError } from "../../../lib/user-error.js";
import { quietGit, quietOutput } from "./quiet-git.js";
import type { Remote } from "./remote.js";
import { runGit } from "./run-git.js";

/**
 * Old histories hold slips that tools of their day made and that harm nobody. The team's own history is
 * taken with them; an agent's commits are not.
 */
const FORGIVEN = [
  ...["zeroPaddedFilemode", "missingSpaceBeforeDate", "badTimezone", "missingEmail", "badEmail"],
  ...["missingNameBeforeEmail", "badDateOverflow", "zeroPaddedDate", "missingTaggerEntry", "badTagName"],
].flatMap((message) => ["-c", `fetch.fsck.${message}=ignore`]);

const LOCK_TRIES = 10;
const LOCK_PAUSE_MS = 50;
const LOCKED = /cannot lock ref|unable to create .*\.lock/i;

const QUIETLY = ["--quiet", "--no-write-fetch-head", "--no-auto-maintenance", "--no-recurse-submodules"];

export interface Tip {
  readonly defaultBranch: string;
  readonly base: string;
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
  operatorRepo: string,
): Promise<Fetched> {
  const isCheckout = remote.url === resolve(operatorRepo);
  const refs = originRefs(repo);
  // A remote's HEAD is the team's word. A checkout's is wherever somebody is just now: there the first answer counts.
  const kept = isCheckout ? await refs.then((found) => keptBranch(found)) : null;
  const asked = kept === null ? remoteHead(remote, operatorRepo) : keptHead(remote, { repo, branch: kept });
  const [wanted, before] = await Promise.all([asked, refs]);
  const ref = `${ORIGIN}${wanted.defaultBranch}`;
  const changed = before.get(ref)?.sha !== wanted.base;
  // What we pushed ourselves need not be fetched again.
  const here = changed && (await hasCommit(repo, wanted.base));
  if (here) await quietOutput(repo, ["update-ref", ref, wanted.base]);
  else if (changed) await fetchInto(repo, remote, `+refs/heads/${wanted.defaultBranch}:${ref}`);
  if (before.get(`${ORIGIN}HEAD`)?.target !== ref) {
    await quietOutput(repo, ["symbolic-ref", `${ORIGIN}HEAD`, ref]);
  }
  if (!changed || here) return wanted;
  // The branch may have moved between the question and the fetch.
  return { ...wanted, base: (await quietOutput(repo, ["rev-parse", "--verify", ref])).trimEnd() };
}

const ORIGIN = "refs/remotes/origin/";

function keptBranch(refs: Awaited<ReturnType<typeof originRefs>>): string | null {
  const target = refs.get(`${ORIGIN}HEAD`)?.target ?? "";
  return target.startsWith(ORIGIN) ? target.slice(ORIGIN.length) : null;
}

async function originRefs(repo: string) {
  const format = "--format=%(refname) %(objectname) %(symref)";
  const listing = await quietOutput(repo, ["for-each-ref", format, "refs/remotes/origin"]);
  return new Map(
    listing.split("\n").map((line) => {
      const [name = "", sha = "", target = ""] = line.split(" ");
      return [name, { sha, target }] as const;
    }),
  );
}

/** With everything it needs: a fetch that was cut short leaves no commit without its history. */
async function hasCommit(repo: string, sha: string): Promise<boolean> {
  return (await quietGit(repo, ["cat-file", "-e", `${sha}^{commit}`])).code === 0;
}

/** Brings the bead's saved work from the remote; false when the remote has none. */
export async function fetchWip(repo: string, remote: Remote, bead: string): Promise<boolean> {
  const ref = `refs/koryph/wip/${bead}`;
  const listed = await askRemote(remote, [ref]);
  if (listed === "") return false;
  await fetchInto(repo, remote, `+${ref}:${ref}`, ["--no-tags"]);
  return true;
}

/** `git ls-remote` for the given patterns. */
export async function askRemote(remote: Remote, patterns: readonly string[]): Promise<string> {
  const answer = await runGit("/", ["ls-remote", "--symref", remote.url, ...patterns], { env: remote.env });
  if (answer.code !== 0) throw UserError.of(worktreeAdvice.unreachable(remote.url, answer.stderr));
  return answer.stdout;
}

async function fetchInto(repo: string, remote: Remote, refspec: string, more: string[] = []): Promise<void> {
  const args = [...FORGIVEN, "fetch", ...QUIETLY, ...more, remote.url, refspec];
  const fetch = () => runGit(repo, args, { env: { ...remote.env, GIT_DIR: repo } });
  let answer = await fetch();
  // Another process of this machine fetches the same ref: a landing beside an engine, for instance.
  for (let left = LOCK_TRIES; left > 0 && LOCKED.test(answer.stderr); left -= 1) {
    await pause(LOCK_PAUSE_MS);
    answer = await fetch();
  }
  if (answer.code !== 0) throw UserError.of(worktreeAdvice.unreachable(remote.url, answer.stderr));
}

/** A remote whose HEAD names no branch is asked for the operator's branch, main and master, in this order. */
async function remoteHead(remote: Remote, operatorRepo: string): Promise<Fetched> {
  const answer = await askRemote(remote, ["HEAD", WIP]);
  const wip = wipIn(answer);
  const named = headIn(answer);
  const base = /^([0-9a-f]{40,64})\tHEAD$/m.exec(answer)?.[1];
  if (named !== undefined && base !== undefined) return { defaultBranch: named, base, wip };
  const current = await runGit(operatorRepo, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  const candidates = [current.stdout.trimEnd(), "main", "master"].filter((name) => name !== "");
  const heads = await askRemote(
    remote,
    candidates.map((name) => `refs/heads/${name}`),
  );
  for (const name of candidates) {
    const tip = tipIn(heads, name);
    if (tip !== undefined) return { defaultBranch: name, base: tip, wip };
  }
  const others = [...(await askRemote(remote, ["refs/heads/*"])).matchAll(/\trefs\/heads\/(.+)$/gm)];
  if (others.length === 0) throw UserError.of(worktreeAdvice.noCommit(remote.url));
  const there = others.map(([, name = ""]) => name);
  throw UserError.of(
    remote.url === resolve(operatorRepo)
      ? landingAdvice.detached(remote.url, there)
      : landingAdvice.noHead(remote.url, there),
  );
}

/** The branch that was found first, with what is checked out beside it. */
async function keptHead(
  remote: Remote,
  { repo, branch }: { readonly repo: string; readonly branch: string },
): Promise<Fetched> {
  const answer = await askRemote(remote, ["HEAD", WIP, `refs/heads/${branch}`]);
  const base = tipIn(answer, branch);
  const named = headIn(answer);
  if (base === undefined) throw UserError.of(landingAdvice.branchGone(branch, named ?? null, repo));
  const tip = { defaultBranch: branch, base, wip: wipIn(answer) };
  return named === undefined || named === branch ? tip : { ...tip, elsewhere: named };
}

const WIP = "refs/koryph/wip/*";

function wipIn(answer: string): ReadonlyMap<string, string> {
  const saved = [...answer.matchAll(/^([0-9a-f]{40,64})\trefs\/koryph\/wip\/(.+)$/gm)];
  return new Map(saved.map(([, sha = "", bead = ""]) => [bead, sha]));
}

function headIn(answer: string): string | undefined {
  return /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(answer)?.[1];
}

function tipIn(answer: string, branch: string): string | undefined {
  return answer
    .split("\n")
    .find((line) => line.endsWith(`\trefs/heads/${branch}`))
    ?.split("\t")[0];
}
