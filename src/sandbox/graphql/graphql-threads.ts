import { listShas } from "../git/world-commits.js";
import { mergeableNow } from "../git/world-mergeable.js";
import { threadAddress } from "../render/address.js";
import { parentOf } from "../render/issue.js";
import { labelsOf } from "../render/label.js";
import { type PullIssue, pullChanges } from "../render/pull.js";
import { nodeId } from "../render/user.js";
import { isVisible } from "../routes/pulls/reviews.js";
import { reviewDecision } from "../world/pulls/review-state.js";
import { isPull } from "../world/pulls/world-pulls.js";
import type { Issue, Label, Repository } from "../world/state.js";
import { actorObject } from "./graphql-actors.js";
import { connection, type PageArguments } from "./graphql-connection.js";
import { commitObject, refObject } from "./graphql-git.js";
import { repositoryObject } from "./graphql-repository.js";
import { type TimelineArguments, timelineConnection } from "./graphql-timeline.js";
import type { GraphqlObject, View } from "./graphql-view.js";
import {
  commentObject,
  reactablePart,
  reviewObject,
  reviewThreadObject,
  writingPart,
} from "./graphql-writings.js";

/** An issue or a pull request, whichever it is. */
export function threadObject(view: View, repository: Repository, issue: Issue): GraphqlObject {
  return isPull(issue) ? pullObject(view, repository, issue) : issueObject(view, repository, issue);
}

export function labelObject(
  view: View,
  repository: Repository,
  { id, name, color, description }: Label,
): GraphqlObject {
  const url = `${view.world.url}/${repository.owner}/${repository.name}/labels/${encodeURIComponent(name)}`;
  return { __typename: "Label", id: nodeId("Label", id), name, color, description, url };
}

export function labelsConnection(
  view: View,
  repository: Repository,
  labels: readonly Label[],
  args: PageArguments,
) {
  return connection(labels, args, {
    key: ({ id }) => id,
    render: (label) => labelObject(view, repository, label),
  });
}

function threadPart(view: View, repository: Repository, issue: Issue) {
  return {
    ...writingPart(view, issue),
    number: issue.number,
    title: issue.title,
    closed: issue.state === "closed",
    closedAt: issue.closedAt,
    createdAt: issue.createdAt,
    publishedAt: issue.createdAt,
    updatedAt: issue.updatedAt,
    url: threadAddress(view.world, repository, issue),
    repository: () => repositoryObject(view, repository),
    labels: (args: PageArguments) => labelsConnection(view, repository, labelsOf(repository, issue), args),
    comments: (args: PageArguments) =>
      connection(issue.comments, args, {
        key: ({ id }) => id,
        render: (comment) => commentObject(view, repository, issue, comment),
      }),
  };
}

export function issueObject(view: View, repository: Repository, issue: Issue): GraphqlObject {
  const numbered = (numbers: readonly number[]) => (args: PageArguments) =>
    connection(
      repository.issues.filter(({ number }) => numbers.includes(number)),
      args,
      { key: ({ id }) => id, render: (one) => issueObject(view, repository, one) },
    );
  const blocked = repository.issues.filter(({ blockedBy }) => blockedBy.includes(issue.number));
  const self: GraphqlObject = {
    __typename: "Issue",
    id: nodeId("Issue", issue.id),
    ...threadPart(view, repository, issue),
    state: issue.state.toUpperCase(),
    stateReason: issue.stateReason?.toUpperCase() ?? null,
    parent: () => {
      const parent = parentOf(repository, issue);
      return parent === null ? null : issueObject(view, repository, parent);
    },
    timelineItems: (args: TimelineArguments) => timelineConnection(view, repository, issue, args),
    subIssues: numbered(issue.subIssues),
    blockedBy: numbered(issue.blockedBy),
    blocking: numbered(blocked.map(({ number }) => number)),
    ...reactablePart(view, issue.reactions, () => self),
  };
  return self;
}

export function pullObject(view: View, repository: Repository, issue: PullIssue): GraphqlObject {
  const { world } = view;
  const { pull } = issue;
  const head = world.repository(pull.headRepository);
  const files = () => pullChanges(world, repository, pull);
  const self: GraphqlObject = {
    __typename: "PullRequest",
    id: nodeId("PullRequest", issue.id),
    ...threadPart(view, repository, issue),
    state: pull.merged === null ? issue.state.toUpperCase() : "MERGED",
    isDraft: pull.draft,
    merged: pull.merged !== null,
    mergedAt: pull.merged?.at ?? null,
    mergedBy: () => actorObject(view, pull.merged?.by ?? null),
    mergeCommit: () => (pull.merged === null ? null : commitObject(view, repository, pull.merged.commit)),
    headRefName: pull.headRef,
    headRefOid: pull.headSha,
    headRef: () => (head === null ? null : refObject(view, head, `refs/heads/${pull.headRef}`)),
    headRepository: () => (head === null ? null : repositoryObject(view, head)),
    headRepositoryOwner: () => actorObject(view, head?.owner ?? null),
    isCrossRepository: head !== repository,
    baseRefName: pull.baseRef,
    baseRefOid: pull.baseSha,
    baseRef: () => refObject(view, repository, `refs/heads/${pull.baseRef}`),
    additions: async () => (await files()).reduce((sum, file) => sum + file.additions, 0),
    deletions: async () => (await files()).reduce((sum, file) => sum + file.deletions, 0),
    changedFiles: async () => (await files()).length,
    mergeable: async () => MERGEABLE[String(await mergeableNow(world, repository, pull))],
    mergeStateStatus: "UNKNOWN",
    reviewDecision: () => reviewDecision(world, repository, issue),
    ...reviewPart(view, repository, issue),
    commits: async (args: PageArguments) => {
      const shas = await listShas(world, repository, ["--reverse", `${pull.baseSha}..${pull.headSha}`]);
      return connection(shas, args, {
        key: (sha) => sha,
        render: (sha) => ({
          __typename: "PullRequestCommit",
          id: nodeId("PullRequestCommit", `${issue.id}:${sha}`),
          commit: commitObject(view, repository, sha),
        }),
      });
    },
    ...reactablePart(view, issue.reactions, () => self),
  };
  return self;
}

const MERGEABLE: Readonly<Record<string, string>> = {
  true: "MERGEABLE",
  false: "CONFLICTING",
  null: "UNKNOWN",
};

interface ReviewArguments extends PageArguments {
  readonly states?: readonly string[] | null;
  readonly author?: string | null;
}

function reviewPart(view: View, repository: Repository, issue: PullIssue) {
  return {
    reviews: ({ states, author, ...args }: ReviewArguments) => {
      const found = repository.reviews.filter(
        (one) =>
          one.pull === issue.number &&
          isVisible(view, one) &&
          (states == null || states.includes(one.state)) &&
          (author == null || one.author === author),
      );
      return connection(found, args, {
        key: ({ id }) => id,
        render: (review) => reviewObject(view, repository, issue, review),
      });
    },
    reviewThreads: (args: PageArguments) => {
      const roots = repository.reviewComments.filter(
        ({ pull, inReplyTo }) => pull === issue.number && inReplyTo === null,
      );
      return connection(roots, args, {
        key: ({ id }) => id,
        render: (root) => reviewThreadObject(view, repository, root),
      });
    },
  };
}
