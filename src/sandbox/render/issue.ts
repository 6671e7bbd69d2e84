import type { JsonObject } from "../http/json.js";
import type { App } from "../world/app-state.js";
import type { Issue, Repository } from "../world/state.js";
import type { World } from "../world/world.js";
import { threadAddress } from "./address.js";
import { renderApp } from "./app.js";
import { renderLabels } from "./label.js";
import { association } from "./pull.js";
import { renderRollup } from "./reaction.js";
import { repositoryUrl } from "./repository.js";
import { nodeId, renderUser } from "./user.js";

export function renderIssue(world: World, repository: Repository, issue: Issue): JsonObject {
  const url = `${repositoryUrl(world, repository)}/issues/${issue.number}`;
  const assignees = issue.assignees.map((login) => renderUser(world, login));
  const parent = parentOf(repository, issue);
  return {
    id: issue.id,
    node_id: nodeId(issue.pull === null ? "Issue" : "PullRequest", issue.id),
    url,
    repository_url: repositoryUrl(world, repository),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
    html_url: threadAddress(world, repository, issue),
    number: issue.number,
    state: issue.state,
    state_reason: issue.stateReason,
    title: issue.title,
    body: issue.body === "" ? null : issue.body,
    user: renderUser(world, issue.author),
    labels: renderLabels(world, repository, issue),
    type: renderType(issue),
    assignee: assignees[0] ?? null,
    assignees,
    milestone: null,
    locked: issue.locked,
    active_lock_reason: null,
    comments: issue.comments.length,
    closed_at: issue.closedAt,
    closed_by: issue.closedBy === null ? null : renderUser(world, issue.closedBy),
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    author_association: association(world, repository, issue.author),
    performed_via_github_app: renderVia(world, appOfBot(world, issue.author)?.id ?? null),
    reactions: renderRollup(url, issue.reactions),
    sub_issues_summary: renderSubIssues(repository, issue),
    issue_dependencies_summary: renderDependencies(repository, issue),
    ...(parent === null
      ? {}
      : { parent_issue_url: `${repositoryUrl(world, repository)}/issues/${parent.number}` }),
    ...renderPullPart(world, repository, issue),
  };
}

/** The types of an organisation are known by their names here, so the number of one is made from it. */
function renderType({ type }: Issue): JsonObject | null {
  if (type == null) return null;
  const id = [...type].reduce((sum, letter) => sum * 31 + (letter.codePointAt(0) ?? 0), 7) % 1_000_003;
  return { id, node_id: nodeId("IssueType", id), name: type, description: null };
}

/** What an issue's answer says of the pull request that it also is; nothing for one that is none. */
function renderPullPart(world: World, repository: Repository, issue: Issue): JsonObject {
  if (issue.pull === null) return {};
  const page = threadAddress(world, repository, issue);
  return {
    draft: issue.pull.draft,
    pull_request: {
      url: `${repositoryUrl(world, repository)}/pulls/${issue.number}`,
      html_url: page,
      diff_url: `${page}.diff`,
      patch_url: `${page}.patch`,
      merged_at: issue.pull.merged?.at ?? null,
    },
  };
}

export function parentOf(repository: Repository, issue: Issue): Issue | null {
  return repository.issues.find(({ subIssues }) => subIssues.includes(issue.number)) ?? null;
}

function renderSubIssues(repository: Repository, issue: Issue): JsonObject {
  const total = issue.subIssues.length;
  const completed = repository.issues.filter(
    ({ number, state }) => state === "closed" && issue.subIssues.includes(number),
  ).length;
  return { total, completed, percent_completed: total === 0 ? 0 : Math.floor((100 * completed) / total) };
}

function renderDependencies(repository: Repository, issue: Issue): JsonObject {
  const blockers = repository.issues.filter(({ number }) => issue.blockedBy.includes(number));
  const blocked = repository.issues.filter(({ blockedBy }) => blockedBy.includes(issue.number));
  const open = (issues: readonly Issue[]) => issues.filter(({ state }) => state === "open").length;
  return {
    blocked_by: open(blockers),
    blocking: open(blocked),
    total_blocked_by: blockers.length,
    total_blocking: blocked.length,
  };
}

function appOfBot(world: World, login: string): App | null {
  const user = world.user(login);
  return world.state.apps.find(({ botUser }) => botUser === user?.id) ?? null;
}

/** The app whose token wrote something, as payloads show it; null when it was a person's own. */
export function renderVia(world: World, app: number | null): JsonObject | null {
  const found = world.state.apps.find(({ id }) => id === app);
  return found === undefined ? null : renderApp(world, found);
}
