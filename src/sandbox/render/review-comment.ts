import type { JsonObject } from "../http/json.js";
import { commentPlace } from "../world/pulls/follow-comments.js";
import type { Repository, ReviewComment } from "../world/state.js";
import type { World } from "../world/world.js";
import { pageAddress } from "./address.js";
import { association } from "./pull.js";
import { renderRollup } from "./reaction.js";
import { repositoryUrl } from "./repository.js";
import { nodeId, renderUser } from "./user.js";

export function renderReviewComment(
  world: World,
  repository: Repository,
  comment: ReviewComment,
): JsonObject {
  const url = `${repositoryUrl(world, repository)}/pulls/comments/${comment.id}`;
  const pull = `${repositoryUrl(world, repository)}/pulls/${comment.pull}`;
  const page = `${pageAddress(world, repository)}/pull/${comment.pull}#discussion_r${comment.id}`;
  const place = commentPlace(comment);
  // GitHub writes null for a line that is gone, which its own description does not have; nothing says the same.
  const outdated = comment.now === null;
  return {
    id: comment.id,
    node_id: nodeId("PullRequestReviewComment", comment.id),
    url,
    pull_request_review_id: comment.review,
    diff_hunk: comment.diffHunk,
    path: comment.path,
    ...(outdated ? {} : { position: place.position ?? 1 }),
    original_position: comment.position ?? 1,
    commit_id: place.commit,
    original_commit_id: comment.commit,
    ...(comment.inReplyTo === null ? {} : { in_reply_to_id: comment.inReplyTo }),
    user: renderUser(world, comment.author),
    body: comment.body,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    html_url: page,
    pull_request_url: pull,
    author_association: association(world, repository, comment.author),
    _links: { self: { href: url }, html: { href: page }, pull_request: { href: pull } },
    start_line: outdated ? null : place.startLine,
    original_start_line: comment.startLine,
    start_side: comment.startLine === null ? null : comment.side,
    ...(outdated || place.line === null ? {} : { line: place.line }),
    ...(comment.line === null ? {} : { original_line: comment.line }),
    side: comment.side,
    subject_type: comment.subject,
    reactions: renderRollup(url, comment.reactions),
  };
}
