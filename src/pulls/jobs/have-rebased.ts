import { compareSignatures, type SignatureFault } from "../../core/jobs/keep-signatures.js";
import type { PullRefusal } from "../../core/land/pull/pull-refusal.js";
import { jobFaults } from "../../core/replies/surfaces/job-words.js";
import type { Landing } from "../../core/run/ledger/ledger-state.js";
import type { GatheredFacts, LandPullParts, LandPullSettings } from "../gather-land-facts.js";
import { signaturesOf } from "../pull-receipt.js";
import { askForJob } from "./ask-for-job.js";

/** `head` is the replayed one, which nobody but the runner's ref has yet. */
export type HadRebased = { readonly head: string } | { readonly waits: PullRefusal } | PullRefusal;

/**
 * Has a runner replay a landing's commits and sign those that were signed. What it hands in is believed as far as the
 * run goes that was started for it, and no further: the approved commits are replayed here once more, unsigned, and
 * each of the runner's has to be the same work.
 */
export async function haveRebased(
  parts: LandPullParts,
  settings: LandPullSettings,
  { landing, facts }: { readonly landing: Landing; readonly facts: GatheredFacts },
): Promise<HadRebased> {
  const { repo } = parts;
  const { base, tip } = facts;
  const number = landing.pull ?? 0;
  const asked = { kind: "rebase", head: tip, base: base.tip } as const;
  const answer = await askForJob(parts, settings, landing, asked);
  if (answer.kind !== "done") return answer.kind === "waits" ? { waits: answer.refusal } : answer.refusal;
  const { url } = answer;
  const differs = (why: string): PullRefusal => ({ code: "runner_differs", why, url });
  const head = await repo.fetchJob(answer.job);
  if (head === null) return differs(jobFaults.nothing());
  if (!(await repo.isAncestor(base.tip, head))) return differs(jobFaults.otherBase());
  if (!(await repo.isReplay(number, landing.asked, head, base.tip))) return differs(jobFaults.otherWork());
  const fault = await signatureFault(parts, facts, head);
  return fault === null ? { head } : differs(jobFaults.signature(fault));
}

/** Those before are judged as they stand on the pull request's branch, both by the signers of the base branch. */
async function signatureFault(
  parts: LandPullParts,
  { base, tip }: GatheredFacts,
  head: string,
): Promise<SignatureFault | null> {
  const judge = signaturesOf(parts);
  const [before, after] = [
    await judge(base.tip, { base: base.tip, head: tip }),
    await judge(base.tip, { base: base.tip, head }),
  ];
  return compareSignatures(before, after);
}
