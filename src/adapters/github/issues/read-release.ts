import type { Role } from "../../../core/commands/roles.js";
import { decideRelease, peopleToAsk } from "../../../core/issues/decide-release.js";
import type { ReleaseVerdict } from "../../../core/model/release.js";
import type { Octokit } from "../app-client.js";
import { repositoryAt } from "../repository-at.js";
import { unlessGone } from "../request-error.js";
import { readHistories } from "./issue-history.js";
import { readListedIssue } from "./listed-issue.js";
import { releaseFacts } from "./release-facts.js";

/** Whether an open issue is released to agents, by what GitHub shows now; null for a number that is none. */
export async function readRelease(
  octokit: Octokit,
  { repository, label }: { readonly repository: string; readonly label: string },
  { issue, roleOf }: { readonly issue: number; readonly roleOf: (login: string) => Promise<Role> },
): Promise<ReleaseVerdict | null> {
  const at = { ...repositoryAt(repository), issue_number: issue };
  const answer = await unlessGone(octokit.rest.issues.get(at));
  const found = answer === null ? null : readListedIssue(answer.data, repository);
  if (found === null || found.record.isPull || found.record.isClosed) return null;
  const history = (await readHistories(octokit, [found.node], label)).get(found.node) ?? null;
  const facts = releaseFacts(found.record, history, label);
  const roles = peopleToAsk(facts).map(async (login) => [login, await roleOf(login)] as const);
  return decideRelease(facts, new Map(await Promise.all(roles)));
}
