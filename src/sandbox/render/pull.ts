import { listShas } from "../git/world-commits.js";
import { readChanges } from "../git/world-diff.js";
import type { JsonObject } from "../http/json.js";
import type { Issue, Pull, Repository } from "../world/state.js";
import type { World } from "../world/world.js";
import { renderLabels } from "./label.js";
import { fullName, renderRepository, repositoryUrl } from "./repository.js";
import { nodeId, renderUser } from "./user.js";

export type PullIssue = Issue & { pull: Pull };

/** As in lists and in the events about reviews: what needs no look at git. */
export function renderPullSimple(world: World, repository: Repository, issue: PullIssue): JsonObject {
  const { pull, number } = issue;
  const url = `${repositoryUrl(world, repository)}/pulls/${number}`;
  const issueUrl = `${repositoryUrl(world, repository)}/issues/${number}`;
  const htmlUrl = `${world.url}/${fullName(repository)}/pull/${number}`;
  const statusesUrl = `${repositoryUrl(world, repository)}/statuses/${pull.headSha}`;
  const links = {
    review_comment_url: `${repositoryUrl(world, repository)}/pulls/comments{/number}`,
    review_comments_url: `${url}/comments`,
    commits_url: `${url}/commits`,
    comments_url: `${issueUrl}/comments`,
    statuses_url: statusesUrl,
  };
  const head = world.repository(pull.headRepository);
  return {
    url,
    id: issue.id,
    node_id: nodeId("PullRequest", issue.id),
    html_url: htmlUrl,
    diff_url: `${htmlUrl}.diff`,
    patch_url: `${htmlUrl}.patch`,
    issue_url: issueUrl,
    ...links,
    number,
    state: issue.state,
    locked: issue.locked,
    active_lock_reason: null,
    title: issue.title,
    user: renderUser(world, issue.author),
    body: issue.body === "" ? null : issue.body,
    labels: renderLabels(world, repository, issue),
    milestone: null,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    merged_at: pull.merged?.at ?? null,
    merge_commit_sha: pull.merged?.commit ?? null,
    assignee: issue.assignees[0] === undefined ? null : renderUser(world, issue.assignees[0]),
    assignees: issue.assignees.map((login) => renderUser(world, login)),
    requested_reviewers: pull.requestedReviewers.map((login) => renderUser(world, login)),
    requested_teams: [],
    head: side(world, head ?? repository, { ref: pull.headRef, sha: pull.headSha }),
    base: side(world, repository, { ref: pull.baseRef, sha: pull.baseSha }),
    _links: {
      self: { href: url },
      html: { href: htmlUrl },
      issue: { href: issueUrl },
      comments: { href: links.comments_url },
      review_comments: { href: links.review_comments_url },
      review_comment: { href: links.review_comment_url },
      commits: { href: links.commits_url },
      statuses: { href: statusesUrl },
    },
    author_association: association(world, repository, issue.author),
    auto_merge: null,
    draft: pull.draft,
  };
}

/** As when one pull is asked for, and in its own events, which never know whether it can be merged. */
export async function renderPull(
  world: World,
  repository: Repository,
  issue: PullIssue,
  mergeable: boolean | null = null,
): Promise<JsonObject> {
  const { pull } = issue;
  const [shas, files] = await Promise.all([
    listShas(world, repository, [`${pull.baseSha}..${pull.headSha}`]),
    pullChanges(world, repository, pull),
  ]);
  return {
    ...renderPullSimple(world, repository, issue),
    merged: pull.merged !== null,
    mergeable: issue.state === "open" ? mergeable : null,
    rebaseable: issue.state === "open" ? mergeable : null,
    mergeable_state: mergeableState(issue, mergeable),
    merged_by: pull.merged === null ? null : renderUser(world, pull.merged.by),
    comments: issue.comments.length,
    review_comments: repository.reviewComments.filter((comment) => comment.pull === issue.number).length,
    maintainer_can_modify: false,
    commits: shas.length,
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changed_files: files.length,
  };
}

/** What a pull changes: against the commit where it left its base. */
export async function pullChanges(world: World, repository: Repository, { baseSha, headSha }: Pull) {
  const [fork] = await listForkPoint(world, repository, [baseSha, headSha]);
  return readChanges(world, repository, [fork ?? baseSha, headSha]);
}

async function listForkPoint(world: World, repository: Repository, [base, head]: readonly [string, string]) {
  try {
    return (await world.git(repository, ["merge-base", base, head])).trim().split("\n");
  } catch {
    // Histories without a common commit: everything differs.
    return [];
  }
}

function mergeableState(issue: PullIssue, mergeable: boolean | null): string {
  if (issue.state === "closed" || mergeable === null) return "unknown";
  if (!mergeable) return "dirty";
  return issue.pull.draft ? "draft" : "clean";
}

function side(
  world: World,
  repository: Repository,
  { ref, sha }: { readonly ref: string; readonly sha: string },
): JsonObject {
  return {
    label: `${repository.owner}:${ref}`,
    ref,
    sha,
    user: renderUser(world, repository.owner),
    repo: renderRepository(world, repository),
  };
}

/** How GitHub says somebody stands to a repository; it proves nothing about what they may do. */
export function association(world: World, repository: Repository, login: string): string {
  if (repository.owner === login) return "OWNER";
  if (repository.collaborators[login] !== undefined) return "COLLABORATOR";
  return world.user(login)?.type === "Bot" ? "NONE" : "CONTRIBUTOR";
}
