import { moverOf } from "../auth/auth.js";
import { addReaction } from "../routes/reactions.js";
import { isPull } from "../world/pulls/world-pulls.js";
import { tellReviewThread } from "../world/pulls/write-review.js";
import { authorOf } from "../world/said.js";
import type { ReviewComment, StoredReaction } from "../world/state.js";
import { recordEvent, tellThread } from "../world/thread-changes.js";
import { type Found, findNode, nodeObject } from "./graphql-nodes.js";
import { type GraphqlObject, graphqlError, need, type View } from "./graphql-view.js";
import { REACTION_NAMES, reactionObject, reviewThreadObject } from "./graphql-writings.js";

/** Every mutation has one argument of this name, and gives the mark in it back. */
type Input<T> = { readonly input: T & { readonly clientMutationId?: string | null } };

const COMMENTING = { issues: "write", pull_requests: "write" } as const;
const PULLS = { pull_requests: "write" } as const;

export function mutationRoot(view: View) {
  return {
    addReaction: ({ input }: Input<{ subjectId: string; content: string }>) => {
      const { found, reactable, subject } = reactableNode(view, input.subjectId);
      need(view, found.repository, COMMENTING, "read");
      const content = contentNamed(input.content);
      const { reaction } = addReaction(view.world, reactable, authorOf(view), content);
      return echo(input, { reaction: reactionObject(view, reaction, subject), ...reacted(subject) });
    },
    removeReaction: ({ input }: Input<{ subjectId: string; content: string }>) => {
      const { found, reactable, subject } = reactableNode(view, input.subjectId);
      need(view, found.repository, COMMENTING, "read");
      const content = contentNamed(input.content);
      const { login } = view.caller;
      const reaction = reactable.reactions.find((one) => one.content === content && one.user === login);
      if (reaction === undefined) throw graphqlError("UNPROCESSABLE", "You have not reacted so.");
      reactable.reactions = reactable.reactions.filter((one) => one !== reaction);
      return echo(input, { reaction: reactionObject(view, reaction, subject), ...reacted(subject) });
    },
    resolveReviewThread: ({ input }: Input<{ threadId: string }>) =>
      echo(input, { thread: settleThread(view, input.threadId, true) }),
    unresolveReviewThread: ({ input }: Input<{ threadId: string }>) =>
      echo(input, { thread: settleThread(view, input.threadId, false) }),
    minimizeComment: ({ input }: Input<{ subjectId: string; classifier: string }>) =>
      echo(input, { minimizedComment: minimize(view, input.subjectId, input.classifier) }),
    unminimizeComment: ({ input }: Input<{ subjectId: string }>) =>
      echo(input, { unminimizedComment: minimize(view, input.subjectId, null) }),
    updateRefs: async ({ input }: Input<{ repositoryId: string; refUpdates: readonly RefUpdate[] }>) => {
      await updateRefs(view, input.repositoryId, input.refUpdates);
      return echo(input, {});
    },
    convertPullRequestToDraft: async ({ input }: Input<{ pullRequestId: string }>) =>
      echo(input, { pullRequest: await setDraft(view, input.pullRequestId, true) }),
    markPullRequestReadyForReview: async ({ input }: Input<{ pullRequestId: string }>) =>
      echo(input, { pullRequest: await setDraft(view, input.pullRequestId, false) }),
  };
}

function echo<T extends object>(input: { readonly clientMutationId?: string | null }, payload: T) {
  return { clientMutationId: input.clientMutationId ?? null, ...payload };
}

function contentNamed(name: string): StoredReaction["content"] {
  const content = REACTION_NAMES[name];
  if (content === undefined) throw graphqlError("UNPROCESSABLE", `${name} is not a reaction.`);
  return content;
}

function reactableNode(view: View, id: string) {
  const found = findNode(view, id);
  const reactable = writingOf(found) ?? (found.kind === "thread" ? found.issue : null);
  if (reactable === null || found.kind === "user") throw notOne(id, "Reactable");
  return { found, reactable, subject: () => objectOf(view, found) };
}

function reacted(subject: () => GraphqlObject) {
  const object = subject();
  return { subject: object, reactionGroups: object.reactionGroups };
}

/** A comment, review or comment on a line; null for anything else. */
function writingOf(found: Found) {
  switch (found.kind) {
    case "comment":
    case "review-comment":
      return found.comment;
    case "review":
      return found.review;
    case "user":
    case "repository":
    case "label":
    case "thread":
    case "review-thread":
      return null;
  }
}

function objectOf(view: View, found: Found): GraphqlObject {
  const object = nodeObject(view, found);
  if (object === null) throw new Error("what was found is not there");
  return object;
}

function notOne(id: string, kind: string) {
  return graphqlError("NOT_FOUND", `Could not resolve to ${kind} node with the global id of '${id}'.`);
}

function settleThread(view: View, id: string, resolved: boolean): GraphqlObject {
  const found = findNode(view, id);
  if (found.kind !== "review-thread") throw notOne(id, "PullRequestReviewThread");
  const root: ReviewComment = found.comment;
  const issue = view.world.issue(found.repository, root.pull);
  need(view, found.repository, PULLS, view.caller.login === issue.author ? "read" : "write");
  // An app that may not write files may not settle conversations either.
  if (view.caller.kind === "installation") need(view, found.repository, { contents: "write" });
  if (root.resolved !== resolved && isPull(issue)) {
    root.resolvedBy = resolved ? view.caller.login : null;
    root.resolved = resolved;
    tellReviewThread({ world: view.world, repository: found.repository, issue }, authorOf(view), root);
  }
  return reviewThreadObject(view, found.repository, root);
}

function minimize(view: View, id: string, reason: string | null): GraphqlObject {
  const found = findNode(view, id);
  const writing = writingOf(found);
  if (writing === null || found.kind === "user") throw notOne(id, "Minimizable");
  need(view, found.repository, COMMENTING, writing.author === view.caller.login ? "read" : "write");
  if (reason === null) delete writing.minimized;
  else writing.minimized = reason;
  return objectOf(view, found);
}

interface RefUpdate {
  readonly name: string;
  readonly beforeOid?: string | null;
  readonly afterOid: string;
  readonly force?: boolean | null;
}

/** All or none, each only from the commit it is said to be at. */
async function updateRefs(view: View, id: string, updates: readonly RefUpdate[]): Promise<void> {
  const found = findNode(view, id);
  if (found.kind !== "repository") throw notOne(id, "Repository");
  need(view, found.repository, { contents: "write" });
  const complaints = await view.world.moveRefs(
    found.repository,
    moverOf(view.caller),
    updates.map(({ name, beforeOid, afterOid, force }) => ({
      ref: name,
      before: beforeOid ?? null,
      after: afterOid,
      force: force ?? false,
    })),
  );
  if (complaints.length > 0) throw graphqlError("UNPROCESSABLE", complaints.join("\n"));
}

async function setDraft(view: View, id: string, draft: boolean): Promise<GraphqlObject> {
  const found = findNode(view, id);
  if (found.kind !== "thread" || !isPull(found.issue)) throw notOne(id, "PullRequest");
  const { repository, issue } = found;
  need(view, repository, PULLS, view.caller.login === issue.author ? "read" : "write");
  if (issue.pull.draft !== draft) {
    issue.pull.draft = draft;
    const thread = { world: view.world, repository, issue };
    const by = authorOf(view);
    recordEvent(thread, by, draft ? "convert_to_draft" : "ready_for_review");
    await tellThread(thread, by, draft ? "converted_to_draft" : "ready_for_review");
  }
  return objectOf(view, found);
}
