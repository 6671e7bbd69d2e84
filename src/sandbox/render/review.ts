import type { JsonObject } from "../http/json.js";
import type { Issue, Repository, Review } from "../world/state.js";
import type { World } from "../world/world.js";
import { threadAddress } from "./address.js";
import { association } from "./pull.js";
import { repositoryUrl } from "./repository.js";
import { nodeId, renderUser } from "./user.js";

export function renderReview(world: World, repository: Repository, issue: Issue, review: Review): JsonObject {
  const page = `${threadAddress(world, repository, issue)}#pullrequestreview-${review.id}`;
  const pull = `${repositoryUrl(world, repository)}/pulls/${issue.number}`;
  return {
    id: review.id,
    node_id: nodeId("PullRequestReview", review.id),
    user: renderUser(world, review.author),
    body: review.body,
    state: review.state,
    html_url: page,
    pull_request_url: pull,
    author_association: association(world, repository, review.author),
    _links: { html: { href: page }, pull_request: { href: pull } },
    ...(review.submittedAt === null ? {} : { submitted_at: review.submittedAt }),
    commit_id: review.commit,
  };
}

/** Webhooks write the state small, and an empty text as none. */
export function renderToldReview(
  world: World,
  repository: Repository,
  issue: Issue,
  review: Review,
): JsonObject {
  return {
    ...renderReview(world, repository, issue, review),
    state: review.state.toLowerCase(),
    body: review.body === "" ? null : review.body,
    submitted_at: review.submittedAt,
  };
}
