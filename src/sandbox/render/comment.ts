import type { JsonObject } from "../http/json.js";
import type { Comment, Issue, Repository } from "../world/state.js";
import type { World } from "../world/world.js";
import { threadAddress } from "./address.js";
import { renderVia } from "./issue.js";
import { association } from "./pull.js";
import { renderRollup } from "./reaction.js";
import { repositoryUrl } from "./repository.js";
import { nodeId, renderUser } from "./user.js";

/** A comment with the thread it stands on. */
export interface PlacedComment {
  readonly repository: Repository;
  readonly issue: Issue;
  readonly comment: Comment;
}

export function renderComment(world: World, { repository, issue, comment }: PlacedComment): JsonObject {
  const url = `${repositoryUrl(world, repository)}/issues/comments/${comment.id}`;
  return {
    id: comment.id,
    node_id: nodeId("IssueComment", comment.id),
    url,
    html_url: `${threadAddress(world, repository, issue)}#issuecomment-${comment.id}`,
    issue_url: `${repositoryUrl(world, repository)}/issues/${issue.number}`,
    body: comment.body,
    user: renderUser(world, comment.author),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: association(world, repository, comment.author),
    performed_via_github_app: renderVia(world, comment.viaApp),
    reactions: renderRollup(url, comment.reactions),
  };
}
