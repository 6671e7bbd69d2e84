import { wasThere } from "../../core/land/pull/bind-head.js";
import type { ApprovalFacts, GivenApproval } from "../../core/land/pull/count-approvals.js";
import { lastVerdicts, type PullVerdict } from "../../core/land/pull/last-verdicts.js";
import type { Approval } from "../../core/run/ledger/ledger-state.js";
import type { PullRecord } from "../../ports/pull-record.js";
import { checkApproval, type EvidenceParts, type EvidencePlace, mayApprove } from "./check-evidence.js";

interface ReviewReading extends EvidenceParts {
  readonly record: Pick<PullRecord, "verdicts">;
}

export interface ApprovalsPlace extends EvidencePlace {
  /** What is to land, and what it was replayed from. An approval of anything else is looked at no further. */
  readonly heads: readonly string[];
}

type FoundApprovals = Pick<ApprovalFacts, "approvals" | "objections">;

/**
 * Who has approved a pull request, as GitHub shows it now: by a comment that the ledger names, or in GitHub's own form. Of
 * what was said there the ledger is not asked, since a webhook can be lost and anybody who can push can write one.
 */
export async function readApprovals(
  parts: ReviewReading,
  place: ApprovalsPlace,
  recorded: readonly Approval[],
): Promise<FoundApprovals> {
  const all = await parts.record.verdicts(place.pull);
  // Any of those that were read may have been taken back since.
  if (all === null) return { approvals: [], objections: null };
  const verdicts = lastVerdicts(all);
  const last = [...verdicts.values()];
  const [byComment, byReview] = await Promise.all([
    Promise.all(
      recorded
        .filter(({ via }) => via === "comment")
        .map((approval) => readComment(parts, place, approval, verdicts.get(approval.evidence.user_id))),
    ),
    Promise.all(
      last.filter(({ state }) => state === "approved").map((verdict) => readReview(parts, place, verdict)),
    ),
  ]);
  const objections = last
    .filter(({ state, mayPush }) => state === "changes-requested" && mayPush)
    .map(({ by: { id, login } }) => ({ id, login }));
  return { approvals: [...byComment, ...byReview], objections };
}

async function readComment(
  parts: ReviewReading,
  place: ApprovalsPlace,
  approval: Approval,
  verdict: PullVerdict | undefined,
): Promise<GivenApproval> {
  const { evidence, head, via } = approval;
  if (place.heads.includes(head)) return checkApproval(parts, place, { approval, verdict });
  const by = { id: evidence.user_id, login: evidence.login };
  return { by, head, via, url: evidence.url, evidence: "holds", mayApprove: true };
}

/** What GitHub says it was about moves along with the branch; the record of pushes does not. */
async function readReview(
  parts: ReviewReading,
  { heads, activity }: ApprovalsPlace,
  { by, mayPush, head: shown, submittedAt, url }: PullVerdict,
): Promise<GivenApproval> {
  const person = { id: by.id, login: by.login };
  const seen = heads.find((head) => wasThere(head, submittedAt, activity));
  if (seen !== undefined) {
    const given = { by: person, head: seen, via: "review", url, evidence: "holds" } as const;
    // On a public repository anybody can review: of those who cannot push nobody is asked about.
    return { ...given, mayApprove: mayPush && (await mayApprove(parts, by.login)) };
  }
  const evidence = heads.includes(shown) ? "unproven" : "holds";
  return { by: person, head: shown, via: "review", url, evidence, mayApprove: true };
}
