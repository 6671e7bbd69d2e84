import { join } from "node:path";
import { isSameWork } from "../../../core/land/pull/carry-approval.js";
import { pushRefusal } from "../../../core/replies/land/landing-repo.js";
import { worktreeAdvice } from "../../../core/replies/run/worktrees.js";
import { makeTurns } from "../../../lib/async/turns.js";
import { OutsideFault } from "../../../ports/outside-fault.js";
import type { PullPush, PullRange, PullRefs, PullRepo } from "../../../ports/pull-repo.js";
import type { Candidate, Rebased } from "../../../ports/repo.js";
import type { Signer } from "../../../ports/signer.js";
import { judgeSignatures } from "../../sign/verify-signatures.js";
import { followsCommit } from "../exec/ancestry.js";
import { describeObjects, hasCommitObject } from "../exec/describe-objects.js";
import { RECEIPTS_REF } from "../exec/fetch-remote.js";
import { type Setting, withSettings } from "../exec/git-settings.js";
import { type Identity, openRepo } from "../exec/open-repo.js";
import { quietGit } from "../exec/quiet-git.js";
import { readCommits } from "../exec/read-commits.js";
import { type GitAnswer, runGit } from "../exec/run-git.js";
import { rebaseBranch } from "../landing/rebase-branch.js";
import { squashCommits } from "../landing/squash-commits.js";
import { missingBlobs, portions } from "./promised-blobs.js";
import { readPullRange } from "./read-pull-range.js";

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

const ANSWER_MS = 60_000;
const FETCH_MS = 1_200_000;
const PUSH_MS = 300_000;
const FETCH =
  "fetch --quiet --no-write-fetch-head --no-auto-maintenance --no-recurse-submodules --no-tags".split(" ");
/** Told of a commit that we have, the server would take it that we have its files. */
const WITHOUT_HAVES = ["-c", "fetch.negotiationAlgorithm=noop"];
const PUSH = "push --porcelain --no-verify --no-follow-tags --no-signed --recurse-submodules=no".split(" ");

const WITHOUT_FILES = ["--filter=blob:none"];

/** Whoever lands and whoever only looks share a repository, and git fetches into the same refs once at a time. */
const inTurn = makeTurns();

/** A repository on GitHub. Without its files, those that a push or a replay needs are fetched for it. */
export class GitPullRepo implements PullRepo {
  readonly objects: string;
  readonly #facts: PullRepoFacts;
  readonly #isPartial: boolean;
  #opened: Promise<void> | null = null;

  constructor(facts: PullRepoFacts) {
    this.#facts = facts;
    this.#isPartial = facts.engines === undefined;
    this.objects = join(facts.gitDir, "objects");
  }

  async fetch(
    base: string,
    { number, branch, fork }: { readonly number: number; readonly branch: string; readonly fork: boolean },
  ): Promise<PullRefs> {
    await this.#open();
    const [baseRef, headRef] = [
      `refs/heads/${base}`,
      fork ? `refs/pull/${number}/head` : `refs/heads/${branch}`,
    ];
    const tips = await this.#tips([baseRef, headRef, RECEIPTS_REF]);
    const tip = tips.get(baseRef);
    if (tip === undefined) throw new Error(`${this.#facts.url} has no branch ${base}`);
    const wanted: string[] = [];
    if (!(await this.has(tip))) wanted.push(`+${baseRef}:refs/koryph/seen/base/${base}`);
    const head = tips.get(headRef) ?? null;
    if (head !== null && !(await this.has(head))) wanted.push(`+${headRef}:refs/koryph/seen/pull/${number}`);
    if (wanted.length > 0)
      await this.#fetched([...(this.#isPartial ? WITHOUT_FILES : []), "origin", ...wanted]);
    return { base: tip, head, receipts: tips.get(RECEIPTS_REF) ?? null };
  }

  async has(commit: string): Promise<boolean> {
    await this.#open();
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

  signatures(allowed: string, { base, head }: Candidate) {
    return judgeSignatures(this.#facts.gitDir, allowed, `${base}..${head}`);
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
    if (!(await this.has(head)) || !(await this.has(found))) return null;
    const onto = await this.#fork(found, base);
    if (onto === null) return null;
    const replayed = await this.#replay(pull, { head, onto, signer: null });
    return replayed.kind === "rebased" ? { onto, head: replayed.head } : null;
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
    const ref = `refs/heads/${branch}`;
    await this.complete({ base: from, head: to });
    const args = [...PUSH, `--force-with-lease=${ref}:${from}`, "--", "origin", `${to}:${ref}`];
    const answer = await this.#git(args, PUSH_MS);
    if (answer.code === 0) return "pushed";
    // Whatever git says, what the remote holds decides: a connection can be cut after the push arrived.
    const tip = (await this.#tips([ref])).get(ref);
    if (tip === to) return "pushed";
    return tip === from ? { refused: pushRefusal(`${answer.stdout}\n${answer.stderr}`) } : "moved";
  }

  async #replay(
    pull: number,
    { head, onto, signer }: { readonly head: string; readonly onto: string; readonly signer: Signer | null },
  ): Promise<Rebased> {
    const { gitDir: repo, scratch, identity } = this.#facts;
    const base = await this.#fork(head, onto);
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

  /** Where two histories part; null when they share nothing. */
  async #fork(one: string, other: string): Promise<string | null> {
    const answer = await quietGit(this.#facts.gitDir, ["merge-base", one, other]);
    return answer.code === 0 ? answer.stdout.trim() : null;
  }

  async #bring(ranges: readonly string[]): Promise<void> {
    if (!this.#isPartial) return;
    for (const blobs of portions(await missingBlobs(this.#facts.gitDir, ranges)))
      await this.#fetched([...WITHOUT_FILES, "origin", ...blobs], WITHOUT_HAVES);
  }

  async #tips(refs: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const answer = await this.#git(["ls-remote", "origin", ...refs], ANSWER_MS);
    if (answer.code !== 0) throw this.#unreachable(answer);
    const lines = answer.stdout.split("\n").filter((line) => line !== "");
    return new Map(lines.map((line) => line.split("\t")).map(([sha = "", ref = ""]) => [ref, sha]));
  }

  async #fetched(args: readonly string[], settings: readonly string[] = []): Promise<void> {
    const { gitDir, identity } = this.#facts;
    const answer = await inTurn(gitDir, async () => {
      const fetched = await this.#git([...settings, ...FETCH, ...args], FETCH_MS);
      // Git keeps in the configuration what it was told to leave out.
      await openRepo(gitDir, identity);
      return fetched;
    });
    if (answer.code !== 0) throw this.#unreachable(answer);
  }

  #unreachable({ stderr }: GitAnswer): Error {
    return new OutsideFault(worktreeAdvice.unreachable(this.#facts.url, stderr));
  }

  async #git(args: readonly string[], timeoutMs: number): Promise<GitAnswer> {
    const { gitDir, env, url } = this.#facts;
    // Only here: a git that knows of a remote with the files would stop at the first one that is not there.
    const promised: readonly Setting[] = this.#isPartial ? [["remote.origin.promisor", "true"]] : [];
    const reached = withSettings(await env(), [["remote.origin.url", url], ...promised]);
    return runGit(gitDir, args, { env: { ...reached, GIT_DIR: gitDir }, timeoutMs });
  }

  #open(): Promise<void> {
    const { gitDir, identity, engines } = this.#facts;
    this.#opened ??= inTurn(gitDir, () => openRepo(gitDir, engines?.identity ?? identity));
    return this.#opened;
  }
}

function asReplayed(commit: NonNullable<Awaited<ReturnType<typeof readCommits>>>[number]) {
  const { tree, author, encoding, message } = commit;
  return { tree, author: `${author.name} <${author.email}> ${author.date}`, encoding, message };
}
