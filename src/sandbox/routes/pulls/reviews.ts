import type { JsonObject, JsonValue } from "../../http/json.js";
import { type Answer, type Call, HttpRefusal, listAnswer, type Route } from "../../http/route.js";
import { renderReview } from "../../render/review.js";
import { dismiss } from "../../world/pulls/follow-reviews.js";
import { addReview, placeRemarks, publishReview, type Remark } from "../../world/pulls/write-review.js";
import { authorOf, maybeText, numberOf, pullThreadOf, saidText, textOf } from "../../world/said.js";
import type { Review } from "../../world/state.js";
import type { PullThread } from "../../world/thread-changes.js";

const ALL = "/repos/{owner}/{repo}/pulls/{pull_number}/reviews";
const ONE = `${ALL}/{review_id}`;
const READ = { pull_requests: "read" } as const;
const WRITE = { pull_requests: "write" } as const;

const STATES: Readonly<Record<string, Review["state"]>> = {
  APPROVE: "APPROVED",
  REQUEST_CHANGES: "CHANGES_REQUESTED",
  COMMENT: "COMMENTED",
};

export const reviewRoutes: readonly Route[] = [
  {
    operation: "pulls/list-reviews",
    method: "GET",
    path: ALL,
    needs: READ,
    answer: (call) => {
      const { world, repository, issue } = pullThreadOf(call);
      const found = repository.reviews.filter((one) => one.pull === issue.number && isVisible(call, one));
      return listAnswer(
        call,
        found.map((review) => renderReview(world, repository, issue, review)),
      );
    },
  },
  {
    operation: "pulls/get-review",
    method: "GET",
    path: ONE,
    needs: READ,
    answer: (call) => answerReview(pullThreadOf(call), reviewOf(call)),
  },
  {
    operation: "pulls/create-review",
    method: "POST",
    path: ALL,
    needs: WRITE,
    role: "read",
    answer: createReview,
  },
  {
    operation: "pulls/submit-review",
    method: "POST",
    path: `${ONE}/events`,
    needs: WRITE,
    role: "read",
    answer: submitReview,
  },
  {
    operation: "pulls/dismiss-review",
    method: "PUT",
    path: `${ONE}/dismissals`,
    needs: WRITE,
    role: "write",
    answer: dismissReview,
  },
];

function answerReview({ world, repository, issue }: PullThread, review: Review): Answer {
  return { status: 200, body: renderReview(world, repository, issue, review) };
}

/** Nobody but its author sees a review before it is submitted. */
export function isVisible({ caller }: Pick<Call, "caller">, review: Review): boolean {
  return review.state !== "PENDING" || ("login" in caller && caller.login === review.author);
}

function reviewOf(call: Call): Review {
  const { repository, issue } = pullThreadOf(call);
  const id = Number(call.params.review_id);
  const found = repository.reviews.find((one) => one.id === id && one.pull === issue.number);
  if (found === undefined || !isVisible(call, found)) throw new HttpRefusal(404, "Not Found");
  return found;
}

async function createReview(call: Call): Promise<Answer> {
  const thread = pullThreadOf(call);
  const { world, repository, issue } = thread;
  const { body } = call;
  const by = authorOf(call);
  const event = textOf(body.event);
  const state = event === null ? "PENDING" : stateOf(thread, by.login, event);
  const remarks = remarksOf(body.comments);
  const text = maybeText(body.body, "PullRequestReview");
  if (
    state === "PENDING" &&
    repository.reviews.some(
      (one) => one.state === state && one.author === by.login && one.pull === issue.number,
    )
  ) {
    throw refused("User can only have one pending review per pull request");
  }
  if (state === "CHANGES_REQUESTED" || (state === "COMMENTED" && remarks.length === 0)) mustSay(text);
  const commit = await world.resolve(repository, textOf(body.commit_id) ?? issue.pull.headSha);
  if (commit === null) throw refused("The commit_id is not part of the pull request");
  const { placed, misplaced } = await placeRemarks(thread, commit, remarks);
  // One comment that has no place spoils the whole review.
  if (misplaced[0] !== undefined) {
    throw refused(
      misplaced[0].field === "path" ? "Path could not be resolved" : "Line could not be resolved",
    );
  }
  const { review } = addReview(thread, by, { body: text, state, commit, comments: placed });
  return answerReview(thread, review);
}

function submitReview(call: Call): Answer {
  const thread = pullThreadOf(call);
  const review = reviewOf(call);
  if (review.state !== "PENDING") throw refused("Can not submit a review that is not pending");
  const state = stateOf(thread, review.author, textOf(call.body.event) ?? "");
  const text = maybeText(call.body.body, "PullRequestReview") || review.body;
  if (state === "CHANGES_REQUESTED") mustSay(text);
  Object.assign(review, { state, body: text });
  publishReview(thread, authorOf(call), review);
  return answerReview(thread, review);
}

function dismissReview(call: Call): Answer {
  const thread = pullThreadOf(call);
  const review = reviewOf(call);
  const message = saidText(call.body.message, "PullRequestReview", "message");
  if (review.state !== "APPROVED" && review.state !== "CHANGES_REQUESTED") {
    throw refused(`Can not dismiss a ${review.state.toLowerCase()} pull request review`);
  }
  dismiss(thread, authorOf(call), { review, message });
  return answerReview(thread, review);
}

function stateOf({ issue }: PullThread, login: string, event: string): Review["state"] {
  const state = STATES[event];
  if (state === undefined) throw refused(`Event is not one of ${Object.keys(STATES).join(", ")}`);
  if (login === issue.author && state !== "COMMENTED") {
    throw refused(`Can not ${state === "APPROVED" ? "approve" : "request changes on"} your own pull request`);
  }
  return state;
}

function mustSay(text: string): void {
  if (text.trim() === "") throw refused("Body can not be blank");
}

/** GitHub gives the reason as a bare text here, which its client shows just so. */
function refused(reason: string): HttpRefusal {
  return new HttpRefusal(422, `Unprocessable Entity: ${JSON.stringify(reason)}`);
}

function remarksOf(value: JsonValue | undefined): Remark[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly JsonObject[]).map(remarkOf);
}

/** A comment on a line, in the words of GitHub's requests. */
export function remarkOf(value: JsonObject): Remark {
  return {
    path: textOf(value.path) ?? "",
    body: saidText(value.body, "PullRequestReviewComment"),
    line: numberOf(value.line),
    startLine: numberOf(value.start_line),
    side: value.side === "LEFT" ? "LEFT" : "RIGHT",
    position: numberOf(value.position),
    subject: value.subject_type === "file" ? "file" : "line",
  };
}
