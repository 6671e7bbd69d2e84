import { sees } from "../auth/auth.js";
import type { PlacedComment } from "../render/comment.js";
import type { Issue, Label, Repository, Review, ReviewComment, User } from "../world/state.js";
import { actorObject } from "./graphql-actors.js";
import { repositoryObject } from "./graphql-repository.js";
import { labelObject, threadObject } from "./graphql-threads.js";
import { type GraphqlObject, graphqlError, type View } from "./graphql-view.js";
import { commentObject, reviewCommentObject, reviewObject, reviewThreadObject } from "./graphql-writings.js";

/** What a global id can stand for, in its place. */
export type Found =
  | { readonly kind: "user"; readonly user: User }
  | { readonly kind: "repository"; readonly repository: Repository }
  | { readonly kind: "label"; readonly repository: Repository; readonly label: Label }
  | { readonly kind: "thread"; readonly repository: Repository; readonly issue: Issue }
  | ({ readonly kind: "comment" } & PlacedComment)
  | {
      readonly kind: "review";
      readonly repository: Repository;
      readonly issue: Issue;
      readonly review: Review;
    }
  | ({ readonly kind: "review-comment" | "review-thread" } & {
      readonly repository: Repository;
      readonly comment: ReviewComment;
    });

/** The thing with this global id, as far as the caller can see. Throws what GitHub says when there is none. */
export function findNode(view: View, node: string): Found {
  const [, kind = "", id = ""] = /^0:([A-Za-z]+)(\d+)$/.exec(Buffer.from(node, "base64").toString()) ?? [];
  const found = findById(view, Number(id || Number.NaN), kind);
  if (found === null) {
    throw graphqlError("NOT_FOUND", `Could not resolve to a node with the global id of '${node}'`);
  }
  return found;
}

function findById(view: View, id: number, kind: string): Found | null {
  const { world, caller } = view;
  const user = world.state.users.find((one) => one.id === id);
  if (user !== undefined) return { kind: "user", user };
  for (const repository of world.state.repositories) {
    const found = sees(world, caller, repository) ? findIn(repository, id, kind) : null;
    if (found !== null) return found;
  }
  return null;
}

/** As no two things share an id, the kind matters only for what a comment and its thread are both called by. */
function findIn(repository: Repository, id: number, kind: string): Found | null {
  if (repository.id === id) return { kind: "repository", repository };
  const label = repository.labels.find((one) => one.id === id);
  if (label !== undefined) return { kind: "label", repository, label };
  for (const issue of repository.issues) {
    if (issue.id === id) return { kind: "thread", repository, issue };
    const comment = issue.comments.find((one) => one.id === id);
    if (comment !== undefined) return { kind: "comment", repository, issue, comment };
  }
  const review = repository.reviews.find((one) => one.id === id);
  const issue = repository.issues.find(({ number }) => number === review?.pull);
  if (review !== undefined && issue !== undefined) return { kind: "review", repository, issue, review };
  const comment = repository.reviewComments.find((one) => one.id === id);
  if (comment === undefined) return null;
  return {
    kind: kind === "PullRequestReviewThread" ? "review-thread" : "review-comment",
    repository,
    comment,
  };
}

export function nodeObject(view: View, found: Found): GraphqlObject | null {
  switch (found.kind) {
    case "user":
      return actorObject(view, found.user.login);
    case "repository":
      return repositoryObject(view, found.repository);
    case "label":
      return labelObject(view, found.repository, found.label);
    case "thread":
      return threadObject(view, found.repository, found.issue);
    case "comment":
      return commentObject(view, found.repository, found.issue, found.comment);
    case "review":
      return reviewObject(view, found.repository, found.issue, found.review);
    case "review-comment":
      return reviewCommentObject(view, found.repository, found.comment);
    case "review-thread":
      return reviewThreadObject(view, found.repository, found.comment);
  }
}
