import type { PullIssue } from "../../render/pull.js";
import { protectionOf, protectionRules } from "../rules/protection.js";
import { type Rule, rulesetsOn } from "../rules/ruleset.js";
import type { Repository, Review } from "../state.js";
import type { World } from "../world.js";

/** The last judgement of each person who may write; what they only said does not change it. */
function judgements(world: World, repository: Repository, { number, author }: PullIssue): Review[] {
  const latest = new Map<string, Review>();
  for (const review of repository.reviews) {
    const counts = ["APPROVED", "CHANGES_REQUESTED", "DISMISSED"].includes(review.state);
    const writes = ["write", "maintain", "admin"].includes(world.role(repository, review.author));
    if (review.pull === number && counts && writes && review.author !== author)
      latest.set(review.author, review);
  }
  return [...latest.values()];
}

/** What a `pull_request` rule still misses before a merge; empty when nothing. */
export function unmetReviews(
  world: World,
  repository: Repository,
  issue: PullIssue,
  { parameters }: Rule,
): string[] {
  const given = judgements(world, repository, issue);
  const approvals = given.filter(({ state }) => state === "APPROVED");
  const count = Number(parameters.required_approving_review_count ?? 0);
  const unmet: string[] = [];
  if (given.some(({ state }) => state === "CHANGES_REQUESTED") && count > 0)
    unmet.push("Changes were requested by a reviewer with write access.");
  if (approvals.length < count)
    unmet.push(
      `At least ${count} approving review${count === 1 ? " is" : "s are"} required by reviewers with write access.`,
    );
  if (parameters.require_last_push_approval === true && !approvedLastPush(repository, issue, approvals))
    unmet.push("New changes require approval from someone other than the last pusher.");
  const open = repository.reviewComments.some(
    ({ pull, inReplyTo, resolved }) => pull === issue.number && inReplyTo === null && !resolved,
  );
  if (parameters.required_review_thread_resolution === true && open)
    unmet.push("A conversation must be resolved before this pull request can be merged.");
  return unmet;
}

function approvedLastPush(
  { activity }: Repository,
  { pull }: PullIssue,
  approvals: readonly Review[],
): boolean {
  const last = activity.filter(({ after }) => after === pull.headSha).at(-1);
  return approvals.some(
    ({ author, submittedAt }) => author !== last?.actor && (submittedAt ?? "") >= (last?.at ?? ""),
  );
}

/** GraphQL's word for how reviews stand; null where nobody asks for any. */
export function reviewDecision(world: World, repository: Repository, issue: PullIssue): string | null {
  const rules = rulesFor(repository, issue.pull.baseRef).filter(
    ({ type, parameters }) =>
      type === "pull_request" && Number(parameters.required_approving_review_count) > 0,
  );
  if (rules.length === 0) return null;
  const given = judgements(world, repository, issue);
  if (given.some(({ state }) => state === "CHANGES_REQUESTED")) return "CHANGES_REQUESTED";
  const unmet = rules.some((rule) => unmetReviews(world, repository, issue, rule).length > 0);
  return unmet ? "REVIEW_REQUIRED" : "APPROVED";
}

/** All that holds on a branch, from rulesets and from its protection. */
export function rulesFor(repository: Repository, branch: string): Rule[] {
  const protection = protectionOf(repository, branch);
  return [
    ...rulesetsOn(repository, branch).flatMap(({ rules }) => rules),
    ...(protection === null ? [] : protectionRules(protection)),
  ];
}
