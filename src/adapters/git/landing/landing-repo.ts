import { join, resolve } from "node:path";
import type { CheckoutObstacle } from "../../../core/land/checkout-obstacle.js";
import type { CommitSignature } from "../../../core/land/commit-signature.js";
import { landingAdvice } from "../../../core/replies/land/landing-repo.js";
import { worktreeFinding } from "../../../core/replies/run/worktrees.js";
import { UserError } from "../../../lib/user-error.js";
import type {
  Base,
  BasePush,
  BranchMove,
  BranchPush,
  Candidate,
  RangeFacts,
  Rebased,
  Repo,
} from "../../../ports/repo.js";
import type { Signer } from "../../../ports/signer.js";
import type { Clones } from "../clones/clones.js";
import { followsCommit } from "../exec/ancestry.js";
import { describeObjects, hasCommitObject } from "../exec/describe-objects.js";
import { setRefs } from "../exec/move-refs-standing.js";
import type { Identity } from "../exec/open-repo.js";
import { clonePaths } from "../exec/project-paths.js";
import { quietGit } from "../exec/quiet-git.js";
import type { Remote } from "../remote/remote.js";
import { bringCommit } from "./bring-commit.js";
import { type BaseMove, findCheckoutObstacle } from "./checkout-obstacle.js";
import { findCandidate } from "./find-candidate.js";
import { inspectRange } from "./inspect-range.js";
import { checkPaths, dropCheck, layCheck } from "./lay-check.js";
import { pushBase } from "./push-base.js";
import { pushBranch } from "./push-branch.js";
import { type RangeText, readRangeText } from "./read-range-text.js";
import { rebaseBranch } from "./rebase-branch.js";
import { signCommits } from "./sign-commits.js";
import { squashCommits } from "./squash-commits.js";

export interface LandingRepoFacts {
  readonly clones: Clones;
  /** `$KORYPH_HOME/projects/<id>`. */
  readonly projectHome: string;
  readonly operatorRepo: string;
  /** Null where commits are not signed. */
  readonly signer: Signer | null;
  /** Who commits that are signed, rebased or squashed are committed by. */
  readonly engineIdentity: Identity;
  /** Committer of what agents make; only such commits are signed. */
  readonly agentEmail: string;
  readonly verify: (repo: string, base: string, range: Candidate) => Promise<readonly CommitSignature[]>;
}

/** Asks the operator's repository, once, whether there is a remote to land on. */
export async function openLandingRepo(facts: LandingRepoFacts): Promise<LandingRepo> {
  return new LandingRepo(facts, targetOf(await facts.clones.reach(), facts));
}

function targetOf({ url }: Remote, { operatorRepo }: LandingRepoFacts): Repo["target"] {
  return url === resolve(operatorRepo) ? "checkout" : "remote";
}

/** The engine's `repo.git`, as landing sees it. Only `pushBase`, `pushBranch` and `drop` change what others can see. */
export class LandingRepo implements Repo {
  readonly target: Repo["target"];
  readonly objects: string;
  readonly #facts: LandingRepoFacts;
  readonly #repo: string;

  constructor(facts: LandingRepoFacts, target: Repo["target"]) {
    this.target = target;
    this.#facts = facts;
    this.#repo = join(resolve(facts.projectHome), "repo.git");
    this.objects = join(this.#repo, "objects");
  }

  async fetchBase(): Promise<Base> {
    const { defaultBranch, base, receipts, elsewhere } = await this.#facts.clones.fetch();
    return { branch: defaultBranch, tip: base, receipts, ...(elsewhere !== undefined && { elsewhere }) };
  }

  async candidate(bead: string): Promise<Candidate | null> {
    const branch = await this.#facts.clones.branch(bead);
    return branch === null ? null : findCandidate(this.#repo, branch);
  }

  isDirty(bead: string): Promise<boolean> {
    return this.#facts.clones.isDirty(bead);
  }

  async sign(_bead: string, candidate: Candidate): Promise<Candidate> {
    const { signer, engineIdentity: identity, agentEmail } = this.#facts;
    if (signer === null) return candidate;
    return signCommits(this.#repo, candidate, { signer, identity, agentEmail });
  }

  async range({ base, head }: Candidate): Promise<RangeFacts> {
    const [{ total, commits, paths, findings, secrets, content }, trees] = await Promise.all([
      inspectRange(this.#repo, { base, head }),
      describeObjects(this.#repo, [`${base}^{tree}`, `${head}^{tree}`]),
    ]);
    const [before, after] = trees.map((tree) => tree?.sha);
    if (before === undefined || after === undefined) throw new Error(`${base} or ${head} is no commit here`);
    const facts = { total, commits, paths, content, empty: before === after, tree: after };
    return secrets === "too-much"
      ? { ...facts, secrets: [], findings: [...findings, worktreeFinding.tooMuchText()] }
      : { ...facts, secrets, findings };
  }

  signatures(base: string, candidate: Candidate): Promise<readonly CommitSignature[]> {
    return this.#facts.verify(this.#repo, base, candidate);
  }

  has(commit: string): Promise<boolean> {
    return hasCommitObject(this.#repo, commit);
  }

  async present(commit: string, paths: readonly string[]): Promise<readonly string[]> {
    const found = await describeObjects(
      this.#repo,
      paths.map((path) => `${commit}:${path}`),
    );
    return paths.filter((_, at) => found[at] !== null);
  }

  async isAncestor(ancestor: string, commit: string): Promise<boolean> {
    const answer = await followsCommit(this.#repo, ancestor, commit);
    if (typeof answer === "boolean") return answer;
    // A commit's whole history is here, so one that is not here is no part of it.
    if (answer.stderr.includes(`Not a valid commit name ${ancestor}`)) return false;
    throw new Error(`cannot tell whether ${commit} follows ${ancestor}: ${answer.stderr.trim()}`);
  }

  async rebase(bead: string, { base, head }: Candidate, onto: string): Promise<Rebased> {
    const { projectHome, signer, engineIdentity: identity } = this.#facts;
    if (onto === base) return { kind: "rebased", head };
    const facts = { onto, base, tip: head, identity, signer };
    const rebased = await rebaseBranch(clonePaths(projectHome, bead), facts);
    return rebased.kind === "rebased" ? { kind: "rebased", head: rebased.tip } : rebased;
  }

  squash(_bead: string, candidate: Candidate, message: string): Promise<string> {
    const { signer, engineIdentity: identity } = this.#facts;
    return squashCommits(this.#repo, candidate, { message, identity, signer });
  }

  async keep(bead: string, head: string): Promise<void> {
    const { candidate } = clonePaths(this.#facts.projectHome, bead);
    await setRefs(this.#repo, `update ${candidate} ${head}^{commit}\n`);
  }

  checkoutObstacle(branch: string, { base, head }: Candidate): Promise<CheckoutObstacle | null> {
    const facts = { repo: this.#repo, checkout: this.#checkout() };
    return findCheckoutObstacle(facts, { branch, from: base, to: head });
  }

  #checkout(): string | null {
    return this.target === "checkout" ? resolve(this.#facts.operatorRepo) : null;
  }

  async pushBase(move: BaseMove): Promise<BasePush> {
    const { clones } = this.#facts;
    const remote = await clones.reach();
    if (targetOf(remote, this.#facts) !== this.target) throw UserError.of(landingAdvice.otherTarget());
    const checkout = this.#checkout();
    return pushBase({ repo: this.#repo, remote, checkout, fetch: () => clones.fetch() }, move);
  }

  async pushBranch(move: BranchMove): Promise<BranchPush> {
    const remote = await this.#facts.clones.reach();
    if (targetOf(remote, this.#facts) !== "remote") throw UserError.of(landingAdvice.otherTarget());
    return pushBranch(this.#repo, remote, move);
  }

  /** The commit that a person means by a name, brought here; null when there is none. */
  bring(name: string): Promise<string | null> {
    return bringCommit(this.#repo, this.#facts.operatorRepo, name);
  }

  checkOut(name: string, head: string): Promise<string> {
    const { projectHome, engineIdentity: identity } = this.#facts;
    return layCheck(checkPaths(projectHome, name), { repo: this.#repo, head, identity });
  }

  dropCheckout(name: string): Promise<void> {
    return dropCheck(checkPaths(this.#facts.projectHome, name));
  }

  describe(candidate: Candidate, mostCharacters: number): Promise<RangeText> {
    return readRangeText(this.#repo, candidate, mostCharacters);
  }

  async isBranchAt(bead: string, head: string): Promise<boolean> {
    const { branch } = clonePaths(this.#facts.projectHome, bead);
    const found = await quietGit(this.#repo, ["rev-parse", "--verify", "--quiet", `${branch}^{commit}`]);
    return found.code === 0 && found.stdout.trimEnd() === head;
  }

  async hasClone(bead: string): Promise<boolean> {
    return (await this.#facts.clones.state(bead)) !== "absent";
  }

  async drop(bead: string, from: string | null): Promise<void> {
    const { clones } = this.#facts;
    if (from !== null && (await this.hasClone(bead))) {
      const branch = await clones.branch(bead);
      if (branch !== null && branch.tip !== from) return;
    }
    const gone = await Promise.allSettled([clones.remove(bead), clones.removeWip(bead)]);
    // After both, since each of them keeps what it had not seen before as a ref.
    await clones.removeBranch(bead);
    // The remote may be out of reach; what is here goes all the same.
    for (const end of gone) if (end.status === "rejected") throw end.reason;
  }
}
