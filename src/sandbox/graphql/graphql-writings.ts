import { includesRole } from "../../core/commands/roles.js";
import { pageAddress, threadAddress } from "../render/address.js";
import { nodeId } from "../render/user.js";
import { commentPlace } from "../world/pulls/follow-comments.js";
import type { Comment, Issue, Repository, Review, ReviewComment, StoredReaction } from "../world/state.js";
import { actorObject } from "./graphql-actors.js";
import { connection, type PageArguments } from "./graphql-connection.js";
import { commitObject } from "./graphql-git.js";
import { repositoryObject } from "./graphql-repository.js";
import { issueObject, threadObject } from "./graphql-threads.js";
import type { GraphqlObject, View } from "./graphql-view.js";

/** GraphQL's names of reactions. */
export const REACTION_NAMES: Readonly<Record<string, StoredReaction["content"]>> = {
  THUMBS_UP: "+1",
  THUMBS_DOWN: "-1",
  LAUGH: "laugh",
  CONFUSED: "confused",
  HEART: "heart",
  HOORAY: "hooray",
  ROCKET: "rocket",
  EYES: "eyes",
};

interface Edit {
  readonly editor: string;
  readonly at: string;
}

/** The latest first. What was never changed has no history; else it begins with the writing itself. */
function historyOf(written: {
  readonly author: string;
  readonly createdAt?: string;
  readonly editedAt?: string;
  readonly edits?: readonly Edit[];
}): Edit[] {
  const { author, createdAt, editedAt, edits } = written;
  if (editedAt === undefined) return [];
  const made = createdAt === undefined ? [] : [{ editor: author, at: createdAt }];
  return [...made, ...(edits ?? [{ editor: author, at: editedAt }])].reverse();
}

/** What everything that somebody wrote has in common. */
export function writingPart(
  view: View,
  written: {
    readonly id: number;
    readonly author: string;
    readonly body: string;
    readonly editedAt?: string;
    readonly createdAt?: string;
    readonly edits?: readonly Edit[];
  },
) {
  const edits = historyOf(written);
  return {
    editor: () => actorObject(view, edits[0]?.editor ?? null),
    userContentEdits: (args: PageArguments) =>
      connection(edits, args, {
        key: ({ at, editor }) => `${at} ${editor}`,
        render: ({ at, editor }) => ({
          __typename: "UserContentEdit",
          id: nodeId("UserContentEdit", `${written.id}:${at}`),
          createdAt: at,
          editedAt: at,
          deletedAt: null,
          editor: () => actorObject(view, editor),
        }),
      }),
    databaseId: written.id,
    fullDatabaseId: String(written.id),
    author: () => actorObject(view, written.author),
    body: written.body,
    bodyText: written.body,
    includesCreatedEdit: written.editedAt !== undefined,
    lastEditedAt: written.editedAt ?? null,
    viewerDidAuthor: written.author === view.caller.login,
  };
}

/** What everything that can be reacted to has in common; `subject` makes it again. */
export function reactablePart(
  view: View,
  reactions: readonly StoredReaction[],
  subject: () => GraphqlObject,
) {
  const mine = (some: readonly StoredReaction[]) => some.some(({ user }) => user === view.caller.login);
  return {
    viewerCanReact: true,
    reactions: ({ content, ...args }: PageArguments & { readonly content?: string }) => {
      const found = reactions.filter((one) => content == null || one.content === REACTION_NAMES[content]);
      const render = (one: StoredReaction) => reactionObject(view, one, subject);
      return { ...connection(found, args, { key: ({ id }) => id, render }), viewerHasReacted: mine(found) };
    },
    reactionGroups: () =>
      Object.entries(REACTION_NAMES).map(([name, content]) => {
        const group = reactions.filter((one) => one.content === content);
        return {
          content: name,
          createdAt: group[0]?.createdAt ?? null,
          subject,
          viewerHasReacted: mine(group),
        };
      }),
  };
}

export function reactionObject(
  view: View,
  reaction: StoredReaction,
  subject: () => GraphqlObject,
): GraphqlObject {
  const name = Object.entries(REACTION_NAMES).find(([, content]) => content === reaction.content)?.[0];
  const user = actorObject(view, reaction.user);
  return {
    __typename: "Reaction",
    id: nodeId("Reaction", reaction.id),
    databaseId: reaction.id,
    content: name,
    createdAt: reaction.createdAt,
    reactable: subject,
    // GraphQL's field is for people: a bot's reaction has nobody there.
    user: user?.__typename === "User" ? user : null,
  };
}

function minimizablePart({ minimized }: { readonly minimized?: string }) {
  return {
    isMinimized: minimized !== undefined,
    minimizedReason: minimized?.toLowerCase().replace("_", "-") ?? null,
  };
}

export function commentObject(
  view: View,
  repository: Repository,
  issue: Issue,
  comment: Comment,
): GraphqlObject {
  const self: GraphqlObject = {
    __typename: "IssueComment",
    id: nodeId("IssueComment", comment.id),
    ...writingPart(view, comment),
    ...minimizablePart(comment),
    createdAt: comment.createdAt,
    publishedAt: comment.createdAt,
    updatedAt: comment.updatedAt,
    url: `${threadAddress(view.world, repository, issue)}#issuecomment-${comment.id}`,
    issue: () => issueObject(view, repository, issue),
    pullRequest: () => (issue.pull === null ? null : threadObject(view, repository, issue)),
    repository: () => repositoryObject(view, repository),
    ...reactablePart(view, comment.reactions, () => self),
  };
  return self;
}

export function reviewObject(
  view: View,
  repository: Repository,
  issue: Issue,
  review: Review,
): GraphqlObject {
  const at = review.submittedAt ?? view.world.timestamp();
  const self: GraphqlObject = {
    __typename: "PullRequestReview",
    id: nodeId("PullRequestReview", review.id),
    ...writingPart(view, review),
    ...minimizablePart(review),
    state: review.state,
    authorCanPushToRepository: () => includesRole(view.world.role(repository, review.author), "write"),
    createdAt: at,
    publishedAt: review.submittedAt,
    submittedAt: review.submittedAt,
    updatedAt: review.editedAt ?? at,
    url: `${threadAddress(view.world, repository, issue)}#pullrequestreview-${review.id}`,
    commit: () => commitObject(view, repository, review.commit),
    pullRequest: () => threadObject(view, repository, issue),
    repository: () => repositoryObject(view, repository),
    comments: (args: PageArguments) =>
      reviewCommentsConnection(view, repository, args, (one) => one.review === review.id),
    ...reactablePart(view, review.reactions, () => self),
  };
  return self;
}

export function reviewCommentObject(
  view: View,
  repository: Repository,
  comment: ReviewComment,
): GraphqlObject {
  const { world } = view;
  const issue = world.issue(repository, comment.pull);
  const review = repository.reviews.find(({ id }) => id === comment.review);
  const answered = repository.reviewComments.find(({ id }) => id === comment.inReplyTo);
  const place = commentPlace(comment);
  const outdated = comment.now === null;
  const self: GraphqlObject = {
    __typename: "PullRequestReviewComment",
    id: nodeId("PullRequestReviewComment", comment.id),
    ...writingPart(view, comment),
    ...minimizablePart(comment),
    createdAt: comment.createdAt,
    publishedAt: comment.createdAt,
    updatedAt: comment.updatedAt,
    url: `${pageAddress(world, repository)}/pull/${comment.pull}#discussion_r${comment.id}`,
    path: comment.path,
    line: outdated ? null : place.line,
    startLine: outdated ? null : place.startLine,
    originalLine: comment.line,
    outdated,
    diffHunk: comment.diffHunk,
    commit: () => commitObject(view, repository, place.commit),
    originalCommit: () => commitObject(view, repository, comment.commit),
    pullRequest: () => threadObject(view, repository, issue),
    pullRequestReview: () => (review === undefined ? null : reviewObject(view, repository, issue, review)),
    replyTo: () => (answered === undefined ? null : reviewCommentObject(view, repository, answered)),
    repository: () => repositoryObject(view, repository),
    ...reactablePart(view, comment.reactions, () => self),
  };
  return self;
}

function reviewCommentsConnection(
  view: View,
  repository: Repository,
  args: PageArguments,
  wanted: (comment: ReviewComment) => boolean,
) {
  return connection(repository.reviewComments.filter(wanted), args, {
    key: ({ id }) => id,
    render: (comment) => reviewCommentObject(view, repository, comment),
  });
}

/** A comment on a line with the answers below it; `root` is the first. */
export function reviewThreadObject(view: View, repository: Repository, root: ReviewComment): GraphqlObject {
  const issue = view.world.issue(repository, root.pull);
  return {
    __typename: "PullRequestReviewThread",
    id: nodeId("PullRequestReviewThread", root.id),
    isResolved: root.resolved,
    isOutdated: root.now === null,
    line: root.now === null ? null : commentPlace(root).line,
    startLine: root.now === null ? null : commentPlace(root).startLine,
    originalLine: root.line,
    path: root.path,
    resolvedBy: () => actorObject(view, root.resolvedBy ?? null),
    pullRequest: () => threadObject(view, repository, issue),
    repository: () => repositoryObject(view, repository),
    comments: (args: PageArguments) =>
      reviewCommentsConnection(
        view,
        repository,
        args,
        ({ id, inReplyTo }) => id === root.id || inReplyTo === root.id,
      ),
  };
}
