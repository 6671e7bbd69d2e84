import { type Answer, type Call, HttpRefusal, listAnswer, type Route } from "../http/route.js";
import { REACTIONS, renderReaction } from "../render/reaction.js";
import { authorOf, hasRole, invalid, threadOf } from "../world/said.js";
import type { StoredReaction } from "../world/state.js";
import type { Author } from "../world/thread-changes.js";
import type { World } from "../world/world.js";
import { placedComment } from "./comments.js";
import { reviewCommentOf } from "./pulls/review-comments.js";

const EITHER_READ = { issues: "read", pull_requests: "read" } as const;
const EITHER_WRITE = { issues: "write", pull_requests: "write" } as const;
const ON_COMMENT = "/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions";
const ON_REVIEW_COMMENT = "/repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions";

interface Reactable {
  reactions: StoredReaction[];
}

export const reactionRoutes: readonly Route[] = [
  {
    operation: "reactions/create-for-issue",
    method: "POST",
    path: "/repos/{owner}/{repo}/issues/{issue_number}/reactions",
    needs: EITHER_WRITE,
    role: "read",
    answer: (call) => react(call, threadOf(call).issue),
  },
  {
    operation: "reactions/create-for-issue-comment",
    method: "POST",
    path: ON_COMMENT,
    needs: EITHER_WRITE,
    role: "read",
    answer: (call) => react(call, placedComment(call).comment),
  },
  {
    operation: "reactions/list-for-issue-comment",
    method: "GET",
    path: ON_COMMENT,
    needs: EITHER_READ,
    answer: (call) => listReactions(call, placedComment(call).comment),
  },
  {
    operation: "reactions/delete-for-issue-comment",
    method: "DELETE",
    path: `${ON_COMMENT}/{reaction_id}`,
    needs: EITHER_WRITE,
    role: "read",
    answer: deleteReaction,
  },
  {
    operation: "reactions/create-for-pull-request-review-comment",
    method: "POST",
    path: ON_REVIEW_COMMENT,
    needs: { pull_requests: "write" },
    role: "read",
    answer: (call) => react(call, reviewCommentOf(call).comment),
  },
  {
    operation: "reactions/list-for-pull-request-review-comment",
    method: "GET",
    path: ON_REVIEW_COMMENT,
    needs: { pull_requests: "read" },
    answer: (call) => listReactions(call, reviewCommentOf(call).comment),
  },
];

/** One of a kind per user: `made` is false when it was there already. */
export function addReaction(
  world: World,
  subject: Reactable,
  by: Author,
  content: StoredReaction["content"],
): { readonly reaction: StoredReaction; readonly made: boolean } {
  const found = subject.reactions.find((one) => one.content === content && one.user === by.login);
  if (found !== undefined) return { reaction: found, made: false };
  const reaction: StoredReaction = {
    id: world.newId(),
    content,
    user: by.login,
    createdAt: world.timestamp(),
  };
  subject.reactions = [...subject.reactions, reaction];
  return { reaction, made: true };
}

function react(call: Call, subject: Reactable): Answer {
  const content = REACTIONS.find((one) => one === call.body.content);
  if (content === undefined) throw invalid("Reaction", "content", "invalid", "content is not a reaction");
  const { reaction, made } = addReaction(call.world, subject, authorOf(call), content);
  return { status: made ? 201 : 200, body: renderReaction(call.world, reaction) };
}

function listReactions(call: Call, { reactions }: Reactable): Answer {
  const content = call.query.get("content");
  const found = reactions.filter((reaction) => content === null || reaction.content === content);
  return listAnswer(
    call,
    found.map((reaction) => renderReaction(call.world, reaction)),
  );
}

function deleteReaction(call: Call): Answer {
  const placed = placedComment(call);
  const { comment } = placed;
  const reaction = comment.reactions.find(({ id }) => id === Number(call.params.reaction_id));
  if (reaction === undefined) throw new HttpRefusal(404, "Not Found");
  if (reaction.user !== authorOf(call).login && !hasRole(call, { world: call.world, ...placed }, "admin")) {
    throw new HttpRefusal(403, "Forbidden");
  }
  comment.reactions = comment.reactions.filter(({ id }) => id !== reaction.id);
  return { status: 204 };
}
