import { join } from "node:path";
import {
  type CarriedApproval,
  type CarriedCommits,
  isSameWork,
} from "../../../core/land/pull/carry-approval.js";
import type { PullPush, PullRange, PullRefs, PullRepo } from "../../../ports/pull-repo.js";
import type { Candidate, Rebased } from "../../../ports/repo.js";
import type { Signer } from "../../../ports/signer.js";
import { judgeRange } from "../../sign/verify-signatures.js";
import { followsCommit, forkOf } from "../exec/ancestry.js";
import { describeObjects, hasCommitObject } from "../exec/describe-objects.js";
import type { Identity } from "../exec/open-repo.js";
import { readCommits } from "../exec/read-commits.js";
import { rebaseBranch } from "../landing/rebase-branch.js";
import { squashCommits } from "../landing/squash-commits.js";
import { RECEIPTS_REF } from "../remote/fetch-remote.js";
import { compareCarried } from "./compare-carried.js";
import { missingBlobs, portions } from "./promised-blobs.js";
import { PullRemote } from "./pull-remote.js";
import { readPullRange } from "./read-pull-range.js";
import { signReplayed } from "./sign-replayed.js";

export interface PullRepoFacts {
  /** The bare repository; made when it is not there. */
  readonly gitDir: string;
  /** Where git works in passing. */
  readonly scratch: string;
  readonly url: string;
  /** What git needs in its environment to reach it; asked anew, as it expires. */
  readonly env: () => Promise<Readonly<Record<string, string>>>;
  /** Who replayed commits are committed by. */
  readonly identity: Identity;
  /** Null where they are not signed. */
  readonly signer: Signer | null;
  /** Where it is the engine's own repository, which has all files and goes by another name. */
  readonly engines?: { readonly identity: Identity };
}

/** Told of a commit that we have, the server would take it that we have its files. */
const WITHOUT_HAVES = ["-c", "fetch.negotiationAlgorithm=noop"];
const UNCHECKED = ["-c", "fetch.fsckObjects=false"];
/** Where a runner leaves what it made, and nowhere else. */
const JOB_REFS = "refs/koryph/job/";

const WITHOUT_FILES = ["--filter=blob:none"];

/** A repository on GitHub. Without its files, those that a push or a replay needs are fetched for it. */
export class GitPullRepo implements PullRepo {
  readonly objects: string;
  readonly #facts: PullRepoFacts;
  readonly #isPartial: boolean;
  readonly #remote: PullRemote;

  constructor(facts: PullRepoFacts) {
    this.#facts = facts;
    this.#isPartial = facts.engines === undefined;
    this.objects = join(facts.gitDir, "objects");
    const { gitDir, url, env, engines } = facts;
    const identity = engines?.identity ?? facts.identity;
    this.#remote = new PullRemote({ gitDir, url, env, identity, partial: this.#isPartial });
  }

  async fetch(
    base: string,
    { number, branch, fork }: { readonly number: number; readonly branch: string; readonly fork: boolean },
  ): Promise<PullRefs> {
    await this.#remote.open();
    const [baseRef, headRef] = [
      `refs/heads/${base}`,
      fork ? `refs/pull/${number}/head` : `refs/heads/${branch}`,
    ];
    const tips = await this.#remote.tips([baseRef, headRef, RECEIPTS_REF]);
    const tip = tips.get(baseRef);
    if (tip === undefined) throw new Error(`${this.#facts.url} has no branch ${base}`);
    const head = tips.get(headRef) ?? null;
    const wanted = {
      base: (await this.has(tip)) ? [] : [`+${baseRef}:refs/koryph/seen/base/${base}`],
      head: head === null || (await this.has(head)) ? [] : [`+${headRef}:refs/koryph/seen/pull/${number}`],
    };
    const unfit = await this.#fetchTips(wanted);
    return { base: tip, head, receipts: tips.get(RECEIPTS_REF) ?? null, unfit };
  }

  /**
   * What git says where it does not take the pull request's objects, else null. The base branch is the team's own, and
   * its history may hold slips of old tools, which git does not forgive one by one in a fetch without files.
   */
  async #fetchTips({
    base,
    head,
  }: {
    readonly base: readonly string[];
    readonly head: readonly string[];
  }): Promise<string | null> {
    const from = [...(this.#isPartial ? WITHOUT_FILES : []), "origin"];
    if (base.length + head.length === 0) return null;
    const unfit = await this.#remote.fetchUnlessUnfit([...from, ...base, ...head]);
    if (unfit === null || base.length === 0) return unfit;
    await this.#remote.fetch([...from, ...base], UNCHECKED);
    return head.length === 0 ? null : this.#remote.fetchUnlessUnfit([...from, ...head]);
  }

  async has(commit: string): Promise<boolean> {
    await this.#remote.open();
    return hasCommitObject(this.#facts.gitDir, commit);
  }

  async isAncestor(ancestor: string, commit: string): Promise<boolean> {
    const answer = await followsCommit(this.#facts.gitDir, ancestor, commit);
    if (typeof answer === "boolean") return answer;
    if (answer.stderr.includes(`Not a valid commit name ${ancestor}`)) return false;
    throw new Error(`cannot tell whether ${commit} follows ${ancestor}: ${answer.stderr.trim()}`);
  }

  range(candidate: Candidate): Promise<PullRange> {
    return readPullRange(this.#facts.gitDir, candidate);
  }

  signatures(allowed: string, range: Candidate) {
    return judgeRange(this.#facts.gitDir, allowed, range);
  }

  async complete({ base, head }: Candidate): Promise<void> {
    await this.#bring([`${base}..${head}`]);
  }

  async rebase(pull: number, head: string, onto: string): Promise<Rebased> {
    return this.#replay(pull, { head, onto, signer: this.#facts.signer });
  }

  async isReplay(pull: number, head: string, found: string, base: string): Promise<boolean> {
    const { gitDir } = this.#facts;
    const replayed = await this.#replayBelow(pull, head, { found, base });
    if (replayed === null) return false;
    const { onto } = replayed;
    const [ours, theirs] = await Promise.all([
      readCommits(gitDir, { base: onto, head: replayed.head }),
      readCommits(gitDir, { base: onto, head: found }),
    ]);
    return isSameWork((ours ?? []).map(asReplayed), (theirs ?? []).map(asReplayed));
  }

  /** The approved commits once more, unsigned, where what was found begins; null where that cannot be done. */
  async #replayBelow(
    pull: number,
    head: string,
    { found, base }: { readonly found: string; readonly base: string },
  ): Promise<{ readonly onto: string; readonly head: string } | null> {
    const { gitDir } = this.#facts;
    if (!(await this.has(head)) || !(await this.has(found))) return null;
    const onto = await forkOf(gitDir, found, base);
    if (onto === null) return null;
    const replayed = await this.#replay(pull, { head, onto, signer: null });
    return replayed.kind === "rebased" ? { onto, head: replayed.head } : null;
  }

  compare(carried: CarriedApproval): Promise<CarriedCommits | null> {
    return compareCarried(this.#facts.gitDir, carried);
  }

  squash(candidate: Candidate, message: string): Promise<string> {
    const { gitDir, identity, signer } = this.#facts;
    return squashCommits(gitDir, candidate, { message, identity, signer });
  }

  async isSquash(pull: number, head: string, found: string, base: string): Promise<boolean> {
    const { gitDir } = this.#facts;
    const replayed = await this.#replayBelow(pull, head, { found, base });
    if (replayed === null) return false;
    const { onto } = replayed;
    const theirs = await readCommits(gitDir, { base: onto, head: found });
    const [ours] = await describeObjects(gitDir, [`${replayed.head}^{tree}`]);
    return theirs?.length === 1 && theirs[0]?.tree === ours?.sha;
  }

  signReplayed(candidate: Candidate, signed: readonly boolean[]): Promise<string | null> {
    const { gitDir, identity, signer } = this.#facts;
    return signReplayed(gitDir, candidate, { identity, signer, signed });
  }

  async fetchJob(job: string): Promise<string | null> {
    await this.#remote.open();
    const ref = jobRef(job);
    const tip = (await this.#remote.tips([ref])).get(ref);
    if (tip === undefined) return null;
    // By its ref, under a name of its own: what is replaced while git fetches it is found to be another one.
    const kept = `+${ref}:refs/koryph/seen/job/${job}`;
    if (!(await this.has(tip)))
      await this.#remote.fetch([...(this.#isPartial ? WITHOUT_FILES : []), "origin", kept]);
    return (await this.has(tip)) ? tip : null;
  }

  async pushJob(job: string, candidate: Candidate): Promise<PullPush> {
    const ref = jobRef(job);
    await this.complete(candidate);
    const from = (await this.#remote.tips([ref])).get(ref) ?? null;
    return this.#remote.push(ref, { from, to: candidate.head });
  }

  async dropJobs(kept: ReadonlySet<string>): Promise<void> {
    const left = await this.#remote.tips([`${JOB_REFS}*`]);
    for (const [ref, from] of left)
      if (!kept.has(ref.slice(JOB_REFS.length))) await this.#remote.push(ref, { from, to: null });
  }

  async pushBranch(branch: string, move: { readonly from: string; readonly to: string }): Promise<PullPush> {
    return this.#push(branch, move);
  }

  async pushBase(
    branch: string,
    { from, to }: { readonly from: string; readonly to: string },
  ): Promise<PullPush> {
    // With a lease git moves a branch to any commit whatever.
    if (!(await this.isAncestor(from, to)))
      throw new Error(`${branch} may not move from ${from} to ${to}, which does not follow it`);
    return this.#push(branch, { from, to });
  }

  async #push(
    branch: string,
    { from, to }: { readonly from: string; readonly to: string },
  ): Promise<PullPush> {
    await this.complete({ base: from, head: to });
    return this.#remote.push(`refs/heads/${branch}`, { from, to });
  }

  async #replay(
    pull: number,
    { head, onto, signer }: { readonly head: string; readonly onto: string; readonly signer: Signer | null },
  ): Promise<Rebased> {
    const { gitDir: repo, scratch, identity } = this.#facts;
    const base = await forkOf(repo, head, onto);
    if (base === null) return { kind: "merges" };
    if (base === onto) return { kind: "rebased", head };
    await this.#bring([`${base}..${head}`, `${base}..${onto}`]);
    const paths = { repo, scratch: join(scratch, `${pull}`) };
    const rebased = await rebaseBranch(paths, {
      onto,
      base,
      tip: head,
      identity,
      signer,
      partial: this.#isPartial,
    });
    // Nobody could resolve a conflict in nothing: git failed for another reason.
    if (rebased.kind === "conflict" && rebased.files.length === 0)
      throw new Error(`${head} cannot be replayed on ${onto}, and git does not say why`);
    return rebased.kind === "rebased" ? { kind: "rebased", head: rebased.tip } : rebased;
  }

  async #bring(ranges: readonly string[]): Promise<void> {
    if (!this.#isPartial) return;
    for (const blobs of portions(await missingBlobs(this.#facts.gitDir, ranges)))
      await this.#remote.fetch([...WITHOUT_FILES, "origin", ...blobs], WITHOUT_HAVES);
  }
}

function jobRef(job: string): string {
  if (!/^[0-9A-Z]{26}$/.test(job)) throw new Error(`${job} names no job`);
  return `${JOB_REFS}${job}`;
}

function asReplayed(commit: NonNullable<Awaited<ReturnType<typeof readCommits>>>[number]) {
  const { tree, author, encoding, message } = commit;
  return { tree, author: `${author.name} <${author.email}> ${author.date}`, encoding, message };
}
