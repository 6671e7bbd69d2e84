import { join, resolve } from "node:path";
import { pullAdvice } from "../../../core/replies/review/pull-words.js";
import { UserError } from "../../../lib/user-error.js";
import type { BroughtPull, PullChange, PullSource } from "../../../ports/pull-source.js";
import { setRefs } from "../exec/move-refs-standing.js";
import type { Identity } from "../exec/open-repo.js";
import { quietGit } from "../exec/quiet-git.js";
import { checkPaths, dropCheck, layCheck } from "../landing/lay-check.js";
import { readRangeText } from "../landing/read-range-text.js";
import { fetchPull } from "../remote/fetch-remote.js";
import type { Remote } from "../remote/remote.js";
import { writeReviewCommit } from "./write-review-commit.js";

/** What a diff takes at most; lines beyond it carry no comments. */
const DIFF_CHARACTERS = 64 * 1024 * 1024;

export interface PullCheckoutsFacts {
  /** Brings `repo.git` of the project's home into order, and knows the way to the remote. */
  readonly clones: { fetch(): Promise<unknown>; reach(): Promise<Remote> };
  /** `$KORYPH_HOME/projects/<id>`. */
  readonly projectHome: string;
  /** Who the commit is by that a reviewer reads; it leaves this machine never. */
  readonly identity: Identity;
}

/** Pull requests in the engine's `repo.git`, by the refs that GitHub keeps for them. */
export class PullCheckouts implements PullSource {
  readonly #facts: PullCheckoutsFacts;
  readonly #repo: string;

  constructor(facts: PullCheckoutsFacts) {
    this.#facts = facts;
    this.#repo = join(resolve(facts.projectHome), "repo.git");
  }

  async bring(pull: number, baseBranch: string): Promise<BroughtPull> {
    const { clones } = this.#facts;
    await clones.fetch();
    const refs = refsOf(pull);
    const found = await fetchPull(this.#repo, await clones.reach(), { pull, baseBranch, refs });
    if (found === null) throw UserError.of(pullAdvice.notFetched(pull, baseBranch));
    const { head, tip } = found;
    const common = await quietGit(this.#repo, ["merge-base", head, tip]);
    if (common.code !== 0) throw UserError.of(pullAdvice.unrelated(pull, baseBranch));
    return { head, tip, branch: baseBranch, base: common.stdout.trimEnd() };
  }

  async change({ base, head }: Pick<BroughtPull, "head" | "base">): Promise<PullChange> {
    return readRangeText(this.#repo, { base, head }, DIFF_CHARACTERS);
  }

  async checkOut(pull: number, { head, tip }: BroughtPull): Promise<string> {
    const { projectHome, identity } = this.#facts;
    const facts = { scratch: join(projectHome, "scratch"), head, tip, identity };
    const commit = await writeReviewCommit(this.#repo, facts);
    return layCheck(checkPaths(projectHome, nameOf(pull)), { repo: this.#repo, head: commit, identity });
  }

  async drop(pull: number): Promise<void> {
    await dropCheck(checkPaths(this.#facts.projectHome, nameOf(pull)));
    const { head, base } = refsOf(pull);
    const there = await quietGit(this.#repo, ["for-each-ref", "--format=delete %(refname)", head, base]);
    if (there.code === 0 && there.stdout !== "") await setRefs(this.#repo, there.stdout);
  }
}

function nameOf(pull: number): string {
  return `pull-${pull}-review`;
}

/** They keep what is read from being collected as garbage. */
function refsOf(pull: number): { readonly head: string; readonly base: string } {
  return { head: `refs/koryph/pull/${pull}/head`, base: `refs/koryph/pull/${pull}/base` };
}
