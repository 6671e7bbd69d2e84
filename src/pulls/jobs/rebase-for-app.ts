import { signaturesToKeep } from "../../core/jobs/keep-signatures.js";
import { ALLOWED_SIGNERS } from "../../core/replies/sign/signing.js";
import { jobFaults } from "../../core/replies/surfaces/job-words.js";
import type { PullRecord } from "../../ports/pull-record.js";
import type { PullRepo } from "../../ports/pull-repo.js";
import type { TakenJob } from "./take-job.js";

export interface RebaseJobParts {
  /** Without the key. */
  readonly repo: Pick<PullRepo, "rebase" | "signatures" | "pushJob">;
  /** The same repository with it. */
  readonly signing: Pick<PullRepo, "signReplayed">;
  readonly record: Pick<PullRecord, "fileAt">;
}

export type RebaseJobEnd =
  | { readonly kind: "rebased"; readonly head: string; readonly signed: number }
  | { readonly kind: "failed"; readonly why: string };

/**
 * Replays the commits of a pull request on its base, on a runner that has the key: those that had a good signature get
 * one again, and no other does. What comes of it is left in the job's own ref, and no branch is touched.
 */
export async function rebaseForApp(
  { repo, signing, record }: RebaseJobParts,
  { id, pull, head, base }: TakenJob,
): Promise<RebaseJobEnd> {
  const failed = (why: string): RebaseJobEnd => ({ kind: "failed", why });
  const allowed = (await record.fileAt(ALLOWED_SIGNERS, base)) ?? "";
  const signed = signaturesToKeep(await repo.signatures(allowed, { base, head }));
  if (signed === null) return failed(jobFaults.foreignSignature());
  const replayed = await repo.rebase(pull, head, base);
  if (replayed.kind === "conflict") return failed(jobFaults.conflict(replayed.files));
  if (replayed.kind === "merges") return failed(jobFaults.merges());
  const tip = await signing.signReplayed({ base, head: replayed.head }, signed);
  if (tip === null) return failed(jobFaults.dropped());
  const pushed = await repo.pushJob(id, { base, head: tip });
  if (pushed !== "pushed") return failed(jobFaults.notPushed(pushed === "moved" ? "" : pushed.refused));
  return { kind: "rebased", head: tip, signed: signed.filter(Boolean).length };
}
