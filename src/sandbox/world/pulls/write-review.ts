import { pullChanges, renderPullSimple } from "../../render/pull.js";
import { renderToldReview } from "../../render/review.js";
import { renderReviewComment } from "../../render/review-comment.js";
import { nodeId } from "../../render/user.js";
import type { Review, ReviewComment } from "../state.js";
import type { Author, PullThread } from "../thread-changes.js";
import { readAnchors } from "./review-anchor.js";

/** A comment on a line as it was asked for. Its place is by line, by position in the diff, or the whole file. */
export interface Remark {
  readonly path: string;
  readonly body: string;
  readonly line: number | null;
  readonly startLine: number | null;
  readonly side: ReviewComment["side"];
  readonly position: number | null;
  readonly subject: ReviewComment["subject"];
}

export type PlacedReviewComment = Remark & { readonly diffHunk: string };

/** A remark that is not on a line of the diff; the field that is to blame. */
export interface Misplaced {
  readonly remark: Remark;
  readonly field: "path" | "line" | "start_line" | "position";
}

/** Finds each remark in what the pull changes at a commit. */
export async function placeRemarks(
  { world, repository, issue }: PullThread,
  commit: string,
  remarks: readonly Remark[],
): Promise<{ readonly placed: readonly PlacedReviewComment[]; readonly misplaced: readonly Misplaced[] }> {
  const placed: PlacedReviewComment[] = [];
  const misplaced: Misplaced[] = [];
  if (remarks.length === 0) return { placed, misplaced };
  const files = await pullChanges(world, repository, { ...issue.pull, headSha: commit });
  for (const remark of remarks) {
    const file = files.find(({ path }) => path === remark.path);
    const found = file === undefined ? "path" : placeIn(file.patch ?? "", remark);
    if (typeof found === "string") misplaced.push({ remark, field: found });
    else placed.push(found);
  }
  return { placed, misplaced };
}

function placeIn(patch: string, remark: Remark): PlacedReviewComment | Misplaced["field"] {
  if (remark.subject === "file") return { ...remark, line: null, startLine: null, diffHunk: "" };
  const anchors = readAnchors(patch);
  const on = (line: number | null) =>
    anchors.find((anchor) => anchor.line === line && anchor.side === remark.side);
  const byPosition = remark.line === null && remark.position !== null;
  const anchor = byPosition ? anchors.find(({ position }) => position === remark.position) : on(remark.line);
  if (anchor === undefined) return byPosition ? "position" : "line";
  const { startLine } = remark;
  if (startLine !== null && (startLine >= anchor.line || on(startLine) === undefined)) return "start_line";
  return {
    ...remark,
    line: anchor.line,
    side: anchor.side,
    position: anchor.position,
    diffHunk: anchor.diffHunk,
  };
}

export interface NewReview {
  readonly body: string;
  readonly state: Review["state"];
  readonly commit: string;
  readonly comments: readonly PlacedReviewComment[];
  readonly inReplyTo?: number;
}

/** A review with its comments; unless it is pending, everybody hears of it. */
export function addReview(
  thread: PullThread,
  by: Author,
  { body, state, commit, comments, inReplyTo }: NewReview,
): { readonly review: Review; readonly comments: readonly ReviewComment[] } {
  const { world, repository, issue } = thread;
  const at = world.timestamp();
  const review: Review = {
    id: world.newId(),
    pull: issue.number,
    author: by.login,
    body,
    state,
    commit,
    submittedAt: null,
    reactions: [],
  };
  const first = repository.reviewComments.find(({ id }) => id === inReplyTo);
  const made = comments.map(
    ({ path, line, startLine, side, position, subject, diffHunk, body: text }): ReviewComment => ({
      id: world.newId(),
      pull: issue.number,
      review: review.id,
      author: by.login,
      body: text,
      ...{ path, line, side, startLine, subject, position, diffHunk },
      commit,
      inReplyTo: inReplyTo ?? null,
      createdAt: at,
      updatedAt: at,
      viaApp: by.app,
      reactions: [],
      resolved: false,
      // An answer stands where its conversation has got to.
      ...(first?.now === undefined ? {} : { now: first.now }),
    }),
  );
  repository.reviews.push(review);
  repository.reviewComments.push(...made);
  if (state !== "PENDING") publishReview(thread, by, review);
  return { review, comments: made };
}

/** The moment a review is submitted: it has a time, and it and its comments are told. */
export function publishReview({ world, repository, issue }: PullThread, by: Author, review: Review): void {
  review.submittedAt = world.timestamp();
  issue.updatedAt = review.submittedAt;
  issue.pull.requestedReviewers = issue.pull.requestedReviewers.filter((login) => login !== review.author);
  const pull = renderPullSimple(world, repository, issue);
  world.tell({
    event: "pull_request_review",
    action: "submitted",
    repository,
    sender: by.login,
    payload: { review: renderToldReview(world, repository, issue, review), pull_request: pull },
  });
  for (const comment of repository.reviewComments.filter((one) => one.review === review.id)) {
    world.tell({
      event: "pull_request_review_comment",
      action: "created",
      repository,
      sender: by.login,
      payload: { comment: renderReviewComment(world, repository, comment), pull_request: pull },
    });
  }
}

/** A conversation was settled, or is open again; `root` is its first comment. */
export function tellReviewThread(
  { world, repository, issue }: PullThread,
  by: Author,
  root: ReviewComment,
): void {
  const comments = repository.reviewComments.filter(
    ({ id, inReplyTo }) => id === root.id || inReplyTo === root.id,
  );
  world.tell({
    event: "pull_request_review_thread",
    action: root.resolved ? "resolved" : "unresolved",
    repository,
    sender: by.login,
    payload: {
      thread: {
        node_id: nodeId("PullRequestReviewThread", root.id),
        comments: comments.map((comment) => renderReviewComment(world, repository, comment)),
      },
      pull_request: renderPullSimple(world, repository, issue),
    },
  });
}
