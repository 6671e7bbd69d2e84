import { includesRole } from "../../core/commands/roles.js";
import { VERBS } from "../../core/commands/verbs.js";
import { wasThere } from "../../core/land/pull/bind-head.js";
import type { GivenApproval, Person } from "../../core/land/pull/count-approvals.js";
import { type LastVerdict, lastVerdicts } from "../../core/land/pull/last-verdicts.js";
import type { Approval } from "../../core/run/ledger/ledger-state.js";
import type { PullRecord } from "../../ports/pull-record.js";
import { checkApproval, type EvidenceParts, type EvidencePlace } from "./check-evidence.js";

interface ReviewReading extends EvidenceParts {
  readonly record: Pick<PullRecord, "reviews">;
}

export interface ApprovalsPlace extends EvidencePlace {
  /** What is to land, and what it was replayed from. An approval of anything else is looked at no further. */
  readonly heads: readonly string[];
}

export interface FoundApprovals {
  readonly approvals: readonly GivenApproval[];
  /** People who may approve and whose last word is a request for changes. */
  readonly objections: readonly Person[];
}

/** So many people's reviews are looked at, the newest: on a public repository anybody can review. */
const MOST_PEOPLE = 30;

/**
 * Who has approved a pull request, as GitHub shows it now: by a comment that the ledger names, or in GitHub's own form. Of
 * what was said there the ledger is not asked, since a webhook can be lost and anybody who can push can write one.
 */
export async function readApprovals(
  parts: ReviewReading,
  place: ApprovalsPlace,
  recorded: readonly Approval[],
): Promise<FoundApprovals> {
  const verdicts = lastVerdicts(await parts.record.reviews(place.pull));
  const newest = [...verdicts.values()].slice(-MOST_PEOPLE);
  const [byComment, byReview, objections] = await Promise.all([
    Promise.all(
      recorded
        .filter(({ via }) => via === "comment")
        .map((approval) => readComment(parts, place, approval, verdicts.get(approval.evidence.user_id))),
    ),
    Promise.all(
      newest.filter(({ state }) => state === "approved").map((verdict) => readReview(parts, place, verdict)),
    ),
    Promise.all(
      newest
        .filter(({ state }) => state === "changes-requested")
        .map(async ({ by }) => ((await mayApprove(parts, by)) ? [by] : [])),
    ),
  ]);
  return { approvals: [...byComment, ...byReview], objections: objections.flat() };
}

async function readComment(
  parts: ReviewReading,
  place: ApprovalsPlace,
  approval: Approval,
  verdict: LastVerdict | undefined,
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
  { by, head: shown, submittedAt, url }: LastVerdict,
): Promise<GivenApproval> {
  const person = { id: by.id, login: by.login };
  const seen = heads.find((head) => wasThere(head, submittedAt, activity));
  if (seen !== undefined) {
    const given = { by: person, head: seen, via: "review", url, evidence: "holds" } as const;
    return { ...given, mayApprove: await mayApprove(parts, by) };
  }
  const evidence = heads.includes(shown) ? "unproven" : "holds";
  return { by: person, head: shown, via: "review", url, evidence, mayApprove: true };
}

async function mayApprove({ threads }: ReviewReading, { login }: Person): Promise<boolean> {
  return includesRole(await threads.role(login), VERBS.approve.needs);
}
