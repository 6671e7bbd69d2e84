import { judgeBranch, type LandRules } from "../core/land/judge-branch.js";
import type { LandRefusal } from "../core/land/refusal.js";
import { landAdvice, landWords } from "../core/replies/land/land.js";
import type { Slot } from "../core/run/ledger/slot.js";
import { OutsideFault } from "../ports/outside-fault.js";
import type { Candidate, Repo } from "../ports/repo.js";
import { remakeCandidate } from "./remake-candidate.js";

export type BranchCheck =
  /** The candidate as it would land on the default branch of now. */
  ({ readonly kind: "sound" } & Candidate) | { readonly kind: "refused"; readonly refusal: LandRefusal };

/**
 * What can be told about an accepted branch without a model, by the decision that its landing takes. Where the default
 * branch has moved, the branch is replayed first, so that the reviewer reads what would land.
 */
export async function checkBranch(
  { bead, candidate: accepted }: Pick<Slot, "bead" | "candidate">,
  repo: Repo,
  rules: LandRules & {
    /** The landing follows by itself, so that whatever keeps the checkout from taking it is waited for first. */
    readonly landsNext: boolean;
  },
): Promise<BranchCheck> {
  const { tip, branch } = await repo.fetchBase();
  const here = accepted !== null && (await repo.has(accepted.head));
  const candidate = here ? accepted : await remakeCandidate(repo, bead, accepted);
  if (candidate === null) return refused({ kind: "no_candidate" });
  const dirty = await repo.isDirty(bead);
  const judge = async (made: Candidate) => {
    const [range, signatures] = await Promise.all([
      repo.range(made),
      rules.signingRequired ? repo.signatures(tip, made) : [],
    ]);
    return judgeBranch({ rules, dirty, signatures, ...range });
  };
  const found = await judge(candidate);
  if (found !== null) return refused(found);
  const { base, head } = candidate;
  // A person who commits what is in the way moves the branch, and a review is of one head.
  const obstacle = rules.landsNext ? await repo.checkoutObstacle(branch, candidate) : null;
  if (obstacle?.ofThisWork) return refused({ kind: "push_refused", why: obstacle.why });
  if (obstacle !== null) throw new OutsideFault(landAdvice.checkout(obstacle.why));
  if (base === tip) return sound(repo, bead, { base, head });
  const rebased = await repo.rebase(bead, { base, head }, tip);
  if (rebased.kind === "conflict") return refused({ kind: "conflict", files: rebased.files });
  if (rebased.kind === "merges") return refused({ kind: "unsupported", findings: [landWords.merges()] });
  const replayed = { base: tip, head: rebased.head };
  const foundThen = await judge(replayed);
  return foundThen === null ? sound(repo, bead, replayed) : refused(foundThen);
}

async function sound(repo: Repo, bead: string, candidate: Candidate): Promise<BranchCheck> {
  await repo.keep(bead, candidate.head);
  return { kind: "sound", ...candidate };
}

function refused(refusal: LandRefusal): BranchCheck {
  return { kind: "refused", refusal };
}
