import { pushRefusal } from "../../../core/replies/land/landing-repo.js";
import { gitComplaint, worktreeAdvice } from "../../../core/replies/run/worktrees.js";
import { makeTurns } from "../../../lib/async/turns.js";
import { OutsideFault } from "../../../ports/outside-fault.js";
import type { PullPush } from "../../../ports/pull-repo.js";
import { type Setting, withSettings } from "../exec/git-settings.js";
import { type Identity, openRepo } from "../exec/open-repo.js";
import { type GitAnswer, runGit } from "../exec/run-git.js";
import { FORGIVEN } from "../remote/fetch-remote.js";

export interface PullRemoteFacts {
  /** The bare repository here; made when it is not there. */
  readonly gitDir: string;
  readonly url: string;
  /** What git needs in its environment to reach it; asked anew, as it expires. */
  readonly env: () => Promise<Readonly<Record<string, string>>>;
  /** Who the repository here belongs to. */
  readonly identity: Identity;
  /** Without its files, which git is to expect at the remote. */
  readonly partial: boolean;
}

const ANSWER_MS = 60_000;
const FETCH_MS = 1_200_000;
const PUSH_MS = 300_000;
const FETCH =
  "fetch --quiet --no-write-fetch-head --no-auto-maintenance --no-recurse-submodules --no-tags".split(" ");
const PUSH = "push --porcelain --no-verify --no-follow-tags --no-signed --recurse-submodules=no".split(" ");

/** How git ends when an object would harm whoever checks it out. Asked for again, it is the same object. */
const UNFIT = /fsck error in pack/;

/** Whoever lands and whoever only looks share a repository, and git fetches into the same refs once at a time. */
const inTurn = makeTurns();

/** One repository on GitHub, and the bare one here that is fetched into and pushed from. */
export class PullRemote {
  readonly #facts: PullRemoteFacts;
  #opened: Promise<void> | null = null;

  constructor(facts: PullRemoteFacts) {
    this.#facts = facts;
  }

  open(): Promise<void> {
    const { gitDir, identity } = this.#facts;
    this.#opened ??= inTurn(gitDir, () => openRepo(gitDir, identity));
    return this.#opened;
  }

  /** Where the refs are that there are; a pattern such as `refs/x/*` names several. */
  async tips(refs: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const answer = await this.#git(["ls-remote", "origin", ...refs], ANSWER_MS);
    if (answer.code !== 0) throw this.#unreachable(answer);
    const lines = answer.stdout.split("\n").filter((line) => line !== "");
    return new Map(lines.map((line) => line.split("\t")).map(([sha = "", ref = ""]) => [ref, sha]));
  }

  async fetch(args: readonly string[], settings: readonly string[] = []): Promise<void> {
    const answer = await this.#fetched([...settings, ...FETCH, ...args]);
    if (answer.code !== 0) throw this.#unreachable(answer);
  }

  /** The same for what a stranger may have pushed: what git says where it does not take the objects, else null. */
  async fetchUnlessUnfit(args: readonly string[]): Promise<string | null> {
    const answer = await this.#fetched([...FETCH, ...args]);
    if (answer.code === 0) return null;
    if (!UNFIT.test(answer.stderr)) throw this.#unreachable(answer);
    return gitComplaint(answer.stderr);
  }

  #fetched(args: readonly string[]): Promise<GitAnswer> {
    const { gitDir, identity } = this.#facts;
    return inTurn(gitDir, async () => {
      const answer = await this.#git([...FORGIVEN, ...args], FETCH_MS);
      // Git keeps in the configuration what it was told to leave out.
      await openRepo(gitDir, identity);
      return answer;
    });
  }

  /** Moves a ref, and only from `from`; null stands for a ref that is not there, before or after. */
  async push(
    ref: string,
    { from, to }: { readonly from: string | null; readonly to: string | null },
  ): Promise<PullPush> {
    const args = [...PUSH, `--force-with-lease=${ref}:${from ?? ""}`, "--", "origin", `${to ?? ""}:${ref}`];
    const answer = await this.#git(args, PUSH_MS);
    if (answer.code === 0) return "pushed";
    // Whatever git says, what the remote holds decides: a connection can be cut after the push arrived.
    const tip = (await this.tips([ref])).get(ref) ?? null;
    if (tip === to) return "pushed";
    return tip === from ? { refused: pushRefusal(`${answer.stdout}\n${answer.stderr}`) } : "moved";
  }

  #unreachable({ stderr }: GitAnswer): Error {
    return new OutsideFault(worktreeAdvice.unreachable(this.#facts.url, stderr));
  }

  async #git(args: readonly string[], timeoutMs: number): Promise<GitAnswer> {
    const { gitDir, env, url, partial } = this.#facts;
    // Only here: a git that knows of a remote with the files would stop at the first one that is not there.
    const promised: readonly Setting[] = partial ? [["remote.origin.promisor", "true"]] : [];
    const reached = withSettings(await env(), [["remote.origin.url", url], ...promised]);
    return runGit(gitDir, args, { env: { ...reached, GIT_DIR: gitDir }, timeoutMs });
  }
}
