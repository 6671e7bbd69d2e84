import { issueAdvice } from "../../../core/replies/issues/issue-advice.js";
import { UserError } from "../../../lib/user-error.js";
import type { RepositoryAt } from "../repository-at.js";
import { statusOf } from "../request-error.js";

/** What the operator can put right becomes advice: the token sees too little, may too little, or there are no issues. */
export async function adviseOnIssues<T>(
  answer: Promise<T>,
  at: RepositoryAt,
  does: "read" | "change" | "judge",
): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const repository = `${at.owner}/${at.repo}`;
    switch (statusOf(error)) {
      case 403:
        throw UserError.of(issueAdvice.mayNot(repository, does));
      case 404:
        throw UserError.of(issueAdvice.notSeen(repository));
      case 410:
        throw UserError.of(issueAdvice.switchedOff(repository));
      default:
        throw error;
    }
  }
}
