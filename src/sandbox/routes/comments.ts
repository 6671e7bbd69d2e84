import type { JsonObject } from "../http/json.js";
import { type Call, HttpRefusal, listAnswer, type Route, repositoryOf } from "../http/route.js";
import { type PlacedComment, renderComment } from "../render/comment.js";
import { renderIssue } from "../render/issue.js";
import { authorOf, hasRole, saidText, threadOf } from "../world/said.js";
import type { Comment } from "../world/state.js";
import type { Author } from "../world/thread-changes.js";
import type { World } from "../world/world.js";

const EITHER_READ = { issues: "read", pull_requests: "read" } as const;
const EITHER_WRITE = { issues: "write", pull_requests: "write" } as const;
const ONE = "/repos/{owner}/{repo}/issues/comments/{comment_id}";

export const commentRoutes: readonly Route[] = [
  {
    operation: "issues/list-comments",
    method: "GET",
    path: "/repos/{owner}/{repo}/issues/{issue_number}/comments",
    needs: EITHER_READ,
    answer: (call) => {
      const { repository, issue } = threadOf(call);
      return listComments(
        call,
        issue.comments.map((comment) => ({ repository, issue, comment })),
      );
    },
  },
  {
    operation: "issues/create-comment",
    method: "POST",
    path: "/repos/{owner}/{repo}/issues/{issue_number}/comments",
    needs: EITHER_WRITE,
    role: "read",
    answer: createComment,
  },
  {
    operation: "issues/list-comments-for-repo",
    method: "GET",
    path: "/repos/{owner}/{repo}/issues/comments",
    needs: EITHER_READ,
    answer: (call) => {
      const repository = repositoryOf(call);
      const placed = repository.issues.flatMap((issue) =>
        issue.comments.map((comment) => ({ repository, issue, comment })),
      );
      return listComments(call, placed);
    },
  },
  {
    operation: "issues/get-comment",
    method: "GET",
    path: ONE,
    needs: EITHER_READ,
    answer: (call) => ({ status: 200, body: renderComment(call.world, placedComment(call)) }),
  },
  {
    operation: "issues/update-comment",
    method: "PATCH",
    path: ONE,
    needs: EITHER_WRITE,
    role: "read",
    answer: updateComment,
  },
  {
    operation: "issues/delete-comment",
    method: "DELETE",
    path: ONE,
    needs: EITHER_WRITE,
    role: "read",
    answer: deleteComment,
  },
];

/** The comment a path names. */
export function placedComment(call: Call): PlacedComment {
  const repository = repositoryOf(call);
  const id = Number(call.params.comment_id);
  for (const issue of repository.issues) {
    const comment = issue.comments.find((one) => one.id === id);
    if (comment !== undefined) return { repository, issue, comment };
  }
  throw new HttpRefusal(404, "Not Found");
}

function listComments(call: Call, placed: readonly PlacedComment[]) {
  const { query, world } = call;
  const since = query.get("since");
  const key = ({ comment }: PlacedComment) =>
    Date.parse(query.get("sort") === "updated" ? comment.updatedAt : comment.createdAt);
  const found = placed
    .filter(({ comment }) => since === null || Date.parse(comment.updatedAt) >= Date.parse(since))
    .toSorted((a, b) => key(a) - key(b) || a.comment.id - b.comment.id);
  const ordered = query.get("direction") === "desc" ? found.reverse() : found;
  return listAnswer(
    call,
    ordered.map((one) => renderComment(world, one)),
  );
}

function createComment(call: Call) {
  const thread = threadOf(call);
  const { world, repository, issue } = thread;
  const by = authorOf(call);
  if (issue.locked && !hasRole(call, thread, "write")) {
    throw new HttpRefusal(403, "Unable to create comment because issue is locked.");
  }
  const at = world.timestamp();
  const comment: Comment = {
    id: world.newId(),
    author: by.login,
    body: saidText(call.body.body, "IssueComment"),
    createdAt: at,
    updatedAt: at,
    viaApp: by.app,
    reactions: [],
  };
  issue.comments.push(comment);
  issue.updatedAt = at;
  const placed: PlacedComment = { repository, issue, comment };
  tellComment(world, placed, by, "created");
  return { status: 201, body: renderComment(world, placed) };
}

function updateComment(call: Call) {
  const { world } = call;
  const placed = changeable(call);
  const { comment } = placed;
  const body = saidText(call.body.body, "IssueComment");
  const from = comment.body;
  if (body !== from) {
    comment.body = body;
    comment.updatedAt = world.timestamp();
    comment.editedAt = comment.updatedAt;
    tellComment(world, placed, authorOf(call), "edited", { changes: { body: { from } } });
  }
  return { status: 200, body: renderComment(world, placed) };
}

function deleteComment(call: Call) {
  const { world } = call;
  const placed = changeable(call);
  const { issue, comment } = placed;
  issue.comments = issue.comments.filter(({ id }) => id !== comment.id);
  tellComment(world, placed, authorOf(call), "deleted");
  return { status: 204 };
}

/** A comment belongs to its author, and to those who may write. */
function changeable(call: Call): PlacedComment {
  const placed = placedComment(call);
  const own = authorOf(call).login === placed.comment.author;
  if (!own && !hasRole(call, { world: call.world, ...placed }, "write")) {
    throw new HttpRefusal(403, "Must have admin rights to Repository.");
  }
  return placed;
}

function tellComment(
  world: World,
  placed: PlacedComment,
  by: Author,
  action: "created" | "edited" | "deleted",
  more: JsonObject = {},
): void {
  const { repository, issue } = placed;
  world.tell({
    event: "issue_comment",
    action,
    repository,
    sender: by.login,
    payload: { ...more, issue: renderIssue(world, repository, issue), comment: renderComment(world, placed) },
  });
}
