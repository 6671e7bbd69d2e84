import type { JsonObject, JsonValue } from "../http/json.js";
import type { IssueEvent, Repository } from "../world/state.js";
import type { World } from "../world/world.js";
import { threadAddress } from "./address.js";
import { renderVia } from "./issue.js";
import { renderRepository, repositoryUrl } from "./repository.js";
import { nodeId, renderUser } from "./user.js";

/** Details of events that are kept as the number of another issue. */
const REFERENCES = ["sub_issue", "parent_issue", "blocked_by", "blocking"];

export function renderIssueEvent(world: World, repository: Repository, event: IssueEvent): JsonObject {
  const detail = Object.entries(event.detail).map(([name, value]): [string, JsonValue | undefined] => [
    name,
    REFERENCES.includes(name) && typeof value === "number"
      ? renderReference(world, repository, value)
      : value,
  ]);
  return {
    id: event.id,
    node_id: nodeId("IssueEvent", event.id),
    url: `${repositoryUrl(world, repository)}/issues/events/${event.id}`,
    actor: renderUser(world, event.actor),
    event: event.event,
    commit_id: null,
    commit_url: null,
    created_at: event.createdAt,
    performed_via_github_app: renderVia(world, event.viaApp),
    ...Object.fromEntries(detail),
  };
}

function renderReference(world: World, repository: Repository, number: number): JsonObject | null {
  const issue = repository.issues.find((one) => one.number === number);
  if (issue === undefined) return null;
  return {
    number,
    title: issue.title,
    state: issue.state,
    state_reason: issue.stateReason,
    repository: renderRepository(world, repository),
    issue_type: null,
    html_url: threadAddress(world, repository, issue),
  };
}
