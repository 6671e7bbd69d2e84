import { pageAddress } from "../render/address.js";
import { labelNamed } from "../render/label.js";
import type { PullIssue } from "../render/pull.js";
import { fullName } from "../render/repository.js";
import { nodeId } from "../render/user.js";
import { isPull } from "../world/pulls/world-pulls.js";
import type { Issue, Repository } from "../world/state.js";
import { actorObject } from "./graphql-actors.js";
import { connection, type PageArguments } from "./graphql-connection.js";
import { gitObject, refObject, refsConnection } from "./graphql-git.js";
import { issueObject, labelObject, labelsConnection, pullObject, threadObject } from "./graphql-threads.js";
import { type GraphqlObject, graphqlError, need, type View } from "./graphql-view.js";

interface ThreadsArguments extends PageArguments {
  readonly states?: readonly string[] | null;
  readonly labels?: readonly string[] | null;
  readonly headRefName?: string | null;
  readonly baseRefName?: string | null;
  readonly orderBy?: { readonly field: string; readonly direction: "ASC" | "DESC" } | null;
  readonly filterBy?: {
    readonly since?: string | null;
    readonly labels?: readonly string[] | null;
    readonly states?: readonly string[] | null;
    readonly createdBy?: string | null;
  } | null;
}

export function repositoryObject(view: View, repository: Repository): GraphqlObject {
  const { world, caller } = view;
  const role = world.role(repository, caller.login);
  return {
    __typename: "Repository",
    id: nodeId("Repository", repository.id),
    databaseId: repository.id,
    name: repository.name,
    nameWithOwner: fullName(repository),
    owner: () => actorObject(view, repository.owner),
    url: pageAddress(world, repository),
    createdAt: repository.createdAt,
    isArchived: false,
    isFork: repository.forkOf !== undefined,
    isPrivate: repository.private,
    visibility: repository.private ? "PRIVATE" : "PUBLIC",
    // An app has no role: GitHub says nothing here.
    viewerPermission: caller.kind === "installation" || role === "none" ? null : role.toUpperCase(),
    ...gitPart(view, repository),
    ...threadsPart(view, repository),
    label: ({ name }: { readonly name: string }) => {
      const label = labelNamed(repository, name);
      return label === null ? null : labelObject(view, repository, label);
    },
    labels: (args: PageArguments) => labelsConnection(view, repository, repository.labels, args),
  };
}

function gitPart(view: View, repository: Repository) {
  const reading = <A, R>(read: (args: A) => R) => {
    return (args: A): R => {
      need(view, repository, { contents: "read" });
      return read(args);
    };
  };
  return {
    defaultBranchRef: reading(() => refObject(view, repository, `refs/heads/${repository.defaultBranch}`)),
    ref: reading(({ qualifiedName }: { readonly qualifiedName: string }) =>
      refObject(view, repository, qualifiedName),
    ),
    refs: reading((args: PageArguments & { readonly refPrefix: string }) =>
      refsConnection(view, repository, args),
    ),
    object: reading(({ expression, oid }: { readonly expression?: string; readonly oid?: string }) =>
      gitObject(view, repository, expression ?? oid ?? ""),
    ),
  };
}

function threadsPart(view: View, repository: Repository) {
  const one = (number: number, wanted: "Issue" | "PullRequest" | "issue or pull request"): Issue => {
    const issue = repository.issues.find((each) => each.number === number);
    const fits =
      issue !== undefined &&
      (wanted === "issue or pull request" || isPull(issue) === (wanted === "PullRequest"));
    if (fits) return issue;
    throw graphqlError(
      "NOT_FOUND",
      `Could not resolve to ${wanted === "PullRequest" ? "a" : "an"} ${wanted} with the number of ${number}.`,
    );
  };
  type Numbered = { readonly number: number };
  return {
    issue: ({ number }: Numbered) => {
      need(view, repository, { issues: "read" });
      return threadObject(view, repository, one(number, "Issue"));
    },
    pullRequest: ({ number }: Numbered) => {
      need(view, repository, { pull_requests: "read" });
      return threadObject(view, repository, one(number, "PullRequest"));
    },
    issueOrPullRequest: ({ number }: Numbered) => {
      need(view, repository, { issues: "read", pull_requests: "read" });
      return threadObject(view, repository, one(number, "issue or pull request"));
    },
    issues: (args: ThreadsArguments) => {
      need(view, repository, { issues: "read" });
      const issues = repository.issues.filter((issue) => !isPull(issue) && fits(issue, args));
      return connection(ordered(issues, args), args, {
        key: ({ id }) => id,
        render: (issue) => issueObject(view, repository, issue),
      });
    },
    pullRequests: (args: ThreadsArguments) => {
      need(view, repository, { pull_requests: "read" });
      const pulls = repository.issues.filter(isPull).filter((issue) => fitsPull(issue, args));
      return connection(ordered(pulls, args), args, {
        key: ({ id }) => id,
        render: (issue) => pullObject(view, repository, issue),
      });
    },
  };
}

function fits(issue: Issue, { states, labels, filterBy }: ThreadsArguments): boolean {
  const { since, createdBy } = filterBy ?? {};
  const wantedStates = filterBy?.states ?? states;
  const wantedLabels = filterBy?.labels ?? labels;
  const state = issue.pull?.merged != null ? "MERGED" : issue.state.toUpperCase();
  return (
    (wantedStates == null || wantedStates.includes(state)) &&
    (wantedLabels == null || wantedLabels.some((name) => issue.labels.includes(name))) &&
    (since == null || Date.parse(issue.updatedAt) >= Date.parse(since)) &&
    (createdBy == null || issue.author === createdBy)
  );
}

function fitsPull(issue: PullIssue, args: ThreadsArguments): boolean {
  return (
    fits(issue, args) &&
    (args.headRefName == null || issue.pull.headRef === args.headRefName) &&
    (args.baseRefName == null || issue.pull.baseRef === args.baseRefName)
  );
}

function ordered<T extends Issue>(issues: readonly T[], { orderBy }: ThreadsArguments): T[] {
  const key = (issue: Issue): number => {
    if (orderBy?.field === "COMMENTS") return issue.comments.length;
    return Date.parse(orderBy?.field === "UPDATED_AT" ? issue.updatedAt : issue.createdAt);
  };
  const rising = issues.toSorted((a, b) => key(a) - key(b) || a.number - b.number);
  return orderBy?.direction === "DESC" ? rising.reverse() : rising;
}
