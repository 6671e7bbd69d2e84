import {
  type Answer,
  type Call,
  HttpRefusal,
  listAnswer,
  type Route,
  repositoryOf,
} from "../../http/route.js";
import { renderPullSimple } from "../../render/pull.js";
import { renderReviewComment } from "../../render/review-comment.js";
import { isPull } from "../../world/pulls/world-pulls.js";
import { addReview, placeRemarks } from "../../world/pulls/write-review.js";
import { authorOf, hasRole, invalid, numberOf, pullThreadOf, saidText, textOf } from "../../world/said.js";
import type { Repository, ReviewComment } from "../../world/state.js";
import type { PullThread } from "../../world/thread-changes.js";
import { isVisible, remarkOf } from "./reviews.js";

const OF_PULL = "/repos/{owner}/{repo}/pulls/{pull_number}/comments";
const ONE = "/repos/{owner}/{repo}/pulls/comments/{comment_id}";
const READ = { pull_requests: "read" } as const;
const WRITE = { pull_requests: "write" } as const;

export const reviewCommentRoutes: readonly Route[] = [
  {
    operation: "pulls/list-review-comments",
    method: "GET",
    path: OF_PULL,
    needs: READ,
    answer: listReviewComments,
  },
  {
    operation: "pulls/create-review-comment",
    method: "POST",
    path: OF_PULL,
    needs: WRITE,
    role: "read",
    answer: createReviewComment,
  },
  {
    operation: "pulls/create-reply-for-review-comment",
    method: "POST",
    path: `${OF_PULL}/{comment_id}/replies`,
    needs: WRITE,
    role: "read",
    answer: (call) => reply(call, Number(call.params.comment_id)),
  },
  {
    operation: "pulls/get-review-comment",
    method: "GET",
    path: ONE,
    needs: READ,
    answer: (call) => answerComment(200, call, reviewCommentOf(call)),
  },
  {
    operation: "pulls/update-review-comment",
    method: "PATCH",
    path: ONE,
    needs: WRITE,
    role: "read",
    answer: updateReviewComment,
  },
];

interface Located {
  readonly repository: Repository;
  readonly comment: ReviewComment;
}

/** The comment on a line that a path names. */
export function reviewCommentOf(call: Call): Located {
  const repository = repositoryOf(call);
  return { repository, comment: visibleComment(call, repository, Number(call.params.comment_id)) };
}

function visibleComment(call: Call, repository: Repository, id: number): ReviewComment {
  const comment = repository.reviewComments.find((one) => one.id === id);
  if (comment === undefined || !isShown(call, repository, comment)) throw new HttpRefusal(404, "Not Found");
  return comment;
}

function isShown(call: Call, repository: Repository, { review }: ReviewComment): boolean {
  const found = repository.reviews.find(({ id }) => id === review);
  return found === undefined || isVisible(call, found);
}

function answerComment(status: number, { world }: Call, { repository, comment }: Located): Answer {
  return { status, body: renderReviewComment(world, repository, comment) };
}

function listReviewComments(call: Call): Answer {
  const { query, world } = call;
  const { repository, issue } = pullThreadOf(call);
  const since = query.get("since");
  const key = (comment: ReviewComment) =>
    Date.parse(query.get("sort") === "updated" ? comment.updatedAt : comment.createdAt);
  const found = repository.reviewComments
    .filter((one) => one.pull === issue.number && isShown(call, repository, one))
    .filter(({ updatedAt }) => since === null || Date.parse(updatedAt) >= Date.parse(since))
    .sort((a, b) => key(a) - key(b) || a.id - b.id);
  const ordered = query.get("direction") === "desc" ? found.reverse() : found;
  return listAnswer(
    call,
    ordered.map((comment) => renderReviewComment(world, repository, comment)),
  );
}

async function createReviewComment(call: Call): Promise<Answer> {
  const { body, world } = call;
  const answered = numberOf(body.in_reply_to);
  if (answered !== null) return reply(call, answered);
  const thread = pullThreadOf(call);
  const { repository } = thread;
  const commit = await world.resolve(repository, textOf(body.commit_id) ?? "");
  if (commit === null)
    throw invalid("PullRequestReviewComment", "commit_id", "invalid", "commit_id is not a commit");
  const { placed, misplaced } = await placeRemarks(thread, commit, [remarkOf(body)]);
  const field = misplaced[0]?.field;
  if (field !== undefined) {
    const name = field === "position" ? field : `pull_request_review_thread.${field}`;
    throw invalid("PullRequestReviewComment", name, "custom", `${name} must be part of the diff`);
  }
  return addOne(call, thread, { commit, comments: placed });
}

function reply(call: Call, to: number): Answer {
  const thread = pullThreadOf(call);
  const { repository, issue } = thread;
  const answered = visibleComment(call, repository, to);
  if (answered.pull !== issue.number) throw new HttpRefusal(404, "Not Found");
  const body = saidText(call.body.body, "PullRequestReviewComment");
  // A thread has one level: an answer to an answer stands below the first comment.
  const inReplyTo = answered.inReplyTo ?? answered.id;
  const comment = { ...answered, body, position: answered.position ?? null };
  return addOne(call, thread, { commit: answered.commit, comments: [comment], inReplyTo });
}

/** A single comment is a review without a text around it. */
function addOne(
  call: Call,
  thread: PullThread,
  { commit, comments, inReplyTo }: Pick<Parameters<typeof addReview>[2], "commit" | "comments" | "inReplyTo">,
): Answer {
  const added = addReview(thread, authorOf(call), {
    body: "",
    state: "COMMENTED",
    commit,
    comments,
    ...(inReplyTo === undefined ? {} : { inReplyTo }),
  });
  const [comment] = added.comments;
  if (comment === undefined) throw new Error("a comment was asked for and none was made");
  return answerComment(201, call, { repository: thread.repository, comment });
}

function updateReviewComment(call: Call): Answer {
  const { world } = call;
  const located = reviewCommentOf(call);
  const { repository, comment } = located;
  const issue = world.issue(repository, comment.pull);
  const by = authorOf(call);
  if (by.login !== comment.author && !hasRole(call, { world, repository, issue }, "write")) {
    throw new HttpRefusal(403, "Must have admin rights to Repository.");
  }
  const from = comment.body;
  const body = saidText(call.body.body, "PullRequestReviewComment");
  if (body !== from && isPull(issue)) {
    Object.assign(comment, { body, updatedAt: world.timestamp(), editedAt: world.timestamp() });
    world.tell({
      event: "pull_request_review_comment",
      action: "edited",
      repository,
      sender: by.login,
      payload: {
        changes: { body: { from } },
        comment: renderReviewComment(world, repository, comment),
        pull_request: renderPullSimple(world, repository, issue),
      },
    });
  }
  return answerComment(200, call, located);
}
