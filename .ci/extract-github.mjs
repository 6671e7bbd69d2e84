// Cuts GitHub's published API descriptions down to what koryph uses, for share/. Run by hand when a route or a GraphQL
// field is added, or when GitHub's description is to be newer:
//
//   npm pack @octokit/openapi@23.0.2 @octokit/graphql-schema@15.26.1 && (unpack both)
//   node .ci/extract-github.mjs <unpacked openapi> <unpacked graphql-schema> && npm run format
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Kind, parse, print } from "graphql";

const OPERATIONS = words(`
  actions/create-workflow-dispatch actions/get-workflow actions/get-workflow-run actions/list-jobs-for-workflow-run
  actions/list-self-hosted-runners-for-org actions/list-self-hosted-runners-for-repo actions/list-workflow-runs
  actions/list-workflow-runs-for-repo
  apps/create-from-manifest apps/create-installation-access-token apps/get-authenticated apps/get-by-slug apps/get-installation
  apps/get-repo-installation
  apps/get-webhook-delivery apps/list-installations apps/list-repos-accessible-to-installation
  apps/list-webhook-deliveries apps/redeliver-webhook-delivery
  checks/create checks/get checks/get-suite checks/list-annotations checks/list-for-ref checks/list-suites-for-ref
  checks/rerequest-run checks/update
  git/create-ref git/delete-ref git/get-ref git/update-ref
  issues/add-blocked-by-dependency issues/add-labels issues/add-sub-issue issues/create issues/create-comment
  issues/create-label issues/delete-comment issues/get issues/get-comment issues/get-label issues/list-comments
  issues/list-comments-for-repo issues/list-dependencies-blocked-by issues/list-events
  issues/list-for-repo issues/list-labels-for-repo issues/list-labels-on-issue
  issues/list-sub-issues issues/remove-dependency-blocked-by issues/remove-label issues/remove-sub-issue
  issues/set-labels issues/update issues/update-comment
  rate-limit/get
  pulls/check-if-merged pulls/create pulls/create-reply-for-review-comment pulls/create-review
  pulls/create-review-comment pulls/dismiss-review pulls/get pulls/get-review pulls/get-review-comment pulls/list
  pulls/list-commits pulls/list-files pulls/list-review-comments pulls/list-reviews pulls/merge
  pulls/submit-review  pulls/update pulls/update-review-comment
  reactions/create-for-issue reactions/create-for-issue-comment reactions/create-for-pull-request-review-comment
  reactions/delete-for-issue-comment reactions/list-for-issue-comment
  reactions/list-for-pull-request-review-comment
  repos/check-collaborator repos/compare-commits-with-basehead repos/create-commit-status
  repos/codeowners-errors repos/create-dispatch-event repos/get repos/get-branch repos/get-branch-protection
  repos/get-branch-rules
  repos/get-collaborator-permission-level repos/get-combined-status-for-ref repos/get-commit repos/get-content
  repos/get-repo-ruleset repos/get-repo-rulesets repos/list-activities repos/list-branches repos/list-collaborators repos/list-commit-statuses-for-ref
  repos/list-commits repos/list-pull-requests-associated-with-commit
  users/get-authenticated users/get-by-username
`);

/** Fields to keep, by type. What their arguments need is kept with them; a field whose type is not here is an error. */
const FIELDS = {
  Query: "node nodes rateLimit repository viewer",
  Mutation: `addReaction convertPullRequestToDraft markPullRequestReadyForReview minimizeComment removeReaction
    resolveReviewThread unminimizeComment unresolveReviewThread updateRefs`,
  Node: "id",
  Actor: "avatarUrl login resourcePath url",
  Comment: `author body bodyText createdAt editor id includesCreatedEdit lastEditedAt publishedAt updatedAt
    userContentEdits viewerDidAuthor`,
  GitObject: "abbreviatedOid id oid",
  Minimizable: "isMinimized minimizedReason",
  Reactable: "databaseId id reactionGroups reactions viewerCanReact",
  RepositoryOwner: "id login url",
  Bot: "databaseId",
  User: "databaseId email name",
  Organization: "databaseId name",
  Mannequin: "databaseId",
  RateLimit: "cost limit nodeCount remaining resetAt used",
  PageInfo: "endCursor hasNextPage hasPreviousPage startCursor",
  Repository: `createdAt databaseId defaultBranchRef id isArchived isFork isPrivate issue issueOrPullRequest issues
    label labels name nameWithOwner object owner pullRequest pullRequests ref refs url viewerPermission visibility`,
  Ref: "id name prefix target",
  RefConnection: "edges nodes pageInfo totalCount",
  RefEdge: "cursor node",
  Blob: "byteSize isBinary isTruncated text",
  Commit: `author authoredDate committedDate committer message messageHeadline parents signature statusCheckRollup tree
    url`,
  CommitConnection: "edges nodes pageInfo totalCount",
  CommitEdge: "cursor node",
  GitActor: "date email name user",
  GitSignature: "email isValid payload signature signer state verifiedAt wasSignedByGitHub",
  SshSignature: "",
  UnknownSignature: "",
  StatusCheckRollup: "id state",
  Tag: "message name",
  Tree: "id",
  Label: "color description id name url",
  LabelConnection: "edges nodes pageInfo totalCount",
  LabelEdge: "cursor node",
  Issue: `closed closedAt comments databaseId labels number parent repository state stateReason
    subIssues timelineItems title url`,
  IssueTimelineItems: "",
  IssueTimelineItemsConnection: "nodes pageInfo totalCount",
  LabeledEvent: "actor createdAt id label",
  RenamedTitleEvent: "actor createdAt currentTitle id previousTitle",
  UnlabeledEvent: "actor createdAt id label",
  UserContentEdit: "createdAt deletedAt editedAt editor id",
  UserContentEditConnection: "nodes pageInfo totalCount",
  IssueConnection: "edges nodes pageInfo totalCount",
  IssueEdge: "cursor node",
  IssueComment: "databaseId fullDatabaseId issue pullRequest repository url",
  IssueCommentConnection: "edges nodes pageInfo totalCount",
  IssueCommentEdge: "cursor node",
  PullRequest: `additions baseRef baseRefName baseRefOid changedFiles closed closedAt comments commits databaseId
    deletions fullDatabaseId headRef headRefName headRefOid headRepository headRepositoryOwner isCrossRepository isDraft labels
    mergeCommit mergeStateStatus mergeable merged mergedAt mergedBy number repository reviewDecision reviewThreads
    reviews state title url`,
  PullRequestConnection: "edges nodes pageInfo totalCount",
  PullRequestEdge: "cursor node",
  PullRequestCommit: "commit id",
  PullRequestCommitConnection: "edges nodes pageInfo totalCount",
  PullRequestCommitEdge: "cursor node",
  PullRequestReview:
    "authorCanPushToRepository comments commit databaseId fullDatabaseId pullRequest repository state submittedAt url",
  PullRequestReviewConnection: "edges nodes pageInfo totalCount",
  PullRequestReviewEdge: "cursor node",
  PullRequestReviewComment: `commit databaseId diffHunk fullDatabaseId line originalCommit originalLine
    outdated path pullRequest pullRequestReview
    replyTo repository startLine url`,
  PullRequestReviewCommentConnection: "edges nodes pageInfo totalCount",
  PullRequestReviewCommentEdge: "cursor node",
  PullRequestReviewThread: `comments id isOutdated isResolved line originalLine path pullRequest repository resolvedBy
    startLine`,
  PullRequestReviewThreadConnection: "edges nodes pageInfo totalCount",
  PullRequestReviewThreadEdge: "cursor node",
  Reaction: "content createdAt databaseId id reactable user",
  ReactionConnection: "edges nodes pageInfo totalCount viewerHasReacted",
  ReactionEdge: "cursor node",
  ReactionGroup: "content createdAt subject viewerHasReacted",
  IssueOrPullRequest: "",
  AddReactionPayload: "clientMutationId reaction reactionGroups subject",
  RemoveReactionPayload: "clientMutationId reaction reactionGroups subject",
  ConvertPullRequestToDraftPayload: "clientMutationId pullRequest",
  MarkPullRequestReadyForReviewPayload: "clientMutationId pullRequest",
  MinimizeCommentPayload: "clientMutationId minimizedComment",
  UnminimizeCommentPayload: "clientMutationId unminimizedComment",
  ResolveReviewThreadPayload: "clientMutationId thread",
  UnresolveReviewThreadPayload: "clientMutationId thread",
  UpdateRefsPayload: "clientMutationId",
};

const [openapi, graphqlSchema] = process.argv.slice(2);
if (!openapi || !graphqlSchema)
  throw new Error("Usage: node .ci/extract-github.mjs <openapi> <graphql-schema>");
const share = join(import.meta.dirname, "..", "share");
const rest = extractRest(JSON.parse(readFileSync(join(openapi, "generated", "api.github.com.json"), "utf8")));
writeFileSync(join(share, "github-openapi.json"), `${JSON.stringify(sorted(rest))}\n`);
const sdl = extractGraphql(parse(readFileSync(join(graphqlSchema, "schema.graphql"), "utf8")));
writeFileSync(join(share, "github.graphql"), `${sdl}\n`);

function words(text) {
  return text.trim().split(/\s+/).filter(Boolean);
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

/** An OpenAPI 3.1 description: `nullable` has become a type, parameters and responses stand where they are used. */
function extractRest(whole) {
  const schemas = {};
  const paths = {};
  const missing = new Set(OPERATIONS);
  for (const [path, methods] of Object.entries(whole.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (!missing.delete(operation.operationId)) continue;
      paths[path] = { ...paths[path], [method]: cutOperation(operation) };
    }
  }
  if (missing.size > 0) throw new Error(`GitHub has no operation ${[...missing].join(", ")}`);
  return {
    openapi: "3.1.0",
    info: { title: whole.info.title, version: whole.info.version },
    components: { schemas },
    paths,
  };

  function follow(node) {
    return node.$ref === undefined
      ? node
      : follow(
          node.$ref
            .slice(2)
            .split("/")
            .reduce((at, key) => at[key], whole),
        );
  }

  function cutOperation({ operationId, parameters = [], requestBody, responses }) {
    return {
      operationId,
      parameters: parameters.map(follow).map(({ name, in: where, required = false, schema }) => ({
        name,
        in: where,
        required,
        schema: cutSchema(schema),
      })),
      ...(requestBody && {
        requestBody: {
          required: follow(requestBody).required ?? false,
          content: cutContent(follow(requestBody)),
        },
      }),
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, it]) => [status, { content: cutContent(follow(it)) }]),
      ),
    };
  }

  function cutContent({ content = {} }) {
    const schema = content["application/json"]?.schema;
    return schema === undefined ? {} : { "application/json": { schema: cutSchema(schema) } };
  }

  function cutSchema(node) {
    if (typeof node !== "object" || node === null) return node;
    const cut = {};
    for (const key of words(`type format enum pattern minimum maximum minLength maxLength minItems maxItems
      minProperties maxProperties uniqueItems required`)) {
      if (node[key] !== undefined) cut[key] = node[key];
    }
    for (const key of ["items", "not", "additionalProperties"])
      if (node[key] !== undefined) cut[key] = cutSchema(node[key]);
    for (const key of ["allOf", "anyOf", "oneOf"])
      if (node[key] !== undefined) cut[key] = node[key].map(cutSchema);
    if (node.properties !== undefined) {
      cut.properties = Object.fromEntries(
        Object.entries(node.properties).map(([name, it]) => [name, cutSchema(it)]),
      );
    }
    if (node.$ref !== undefined) cut.$ref = keepSchema(node.$ref);
    return node.nullable === true ? orNull(cut) : cut;
  }

  function keepSchema(ref) {
    const name = ref.slice("#/components/schemas/".length);
    if (!(name in schemas)) {
      // Set before it is walked: a schema may refer to itself.
      schemas[name] = {};
      schemas[name] = cutSchema(whole.components.schemas[name]);
    }
    return ref;
  }
}

function orNull(schema) {
  if (typeof schema.type !== "string") return { anyOf: [schema, { type: "null" }] };
  const type = [schema.type, "null"];
  return schema.enum === undefined
    ? { ...schema, type }
    : { ...schema, type, enum: [...new Set([...schema.enum, null])] };
}

function extractGraphql(whole) {
  const types = new Map(
    whole.definitions.filter((it) => it.name !== undefined).map((it) => [it.name.value, it]),
  );
  const wanted = new Map(Object.entries(FIELDS).map(([name, fields]) => [name, new Set(words(fields))]));
  // A type has all fields of the interfaces that are kept with it.
  for (const [name, fields] of wanted) {
    for (const { name: parent } of types.get(name).interfaces ?? []) {
      for (const field of wanted.get(parent.value) ?? []) fields.add(field);
    }
  }
  const kept = new Map();
  for (const [name, fields] of wanted) kept.set(name, cutType(types.get(name), fields));
  return [...kept.values()]
    .sort((a, b) => (a.name.value < b.name.value ? -1 : 1))
    .map(print)
    .join("\n\n");

  function cutType(type, fields) {
    const known = new Set((type.fields ?? []).map((it) => it.name.value));
    const unknown = [...fields].filter((it) => !known.has(it));
    if (unknown.length > 0) throw new Error(`GitHub's ${type.name.value} has no ${unknown.join(", ")}`);
    return {
      ...bare(type),
      ...(type.interfaces && { interfaces: type.interfaces.filter((it) => wanted.has(it.name.value)) }),
      ...(type.types && { types: type.types.filter((it) => wanted.has(it.name.value)) }),
      ...(type.fields && { fields: type.fields.filter((it) => fields.has(it.name.value)).map(cutField) }),
    };
  }

  function cutField(field) {
    need(field.type);
    return { ...bare(field), ...(field.arguments && { arguments: field.arguments.map(cutArgument) }) };
  }

  function cutArgument(argument) {
    need(argument.type);
    return bare(argument);
  }

  function need(reference) {
    if (reference.kind !== Kind.NAMED_TYPE) return need(reference.type);
    const name = reference.name.value;
    const type = types.get(name);
    if (type === undefined || wanted.has(name) || kept.has(name)) return;
    if (type.kind === Kind.SCALAR_TYPE_DEFINITION) kept.set(name, bare(type));
    else if (type.kind === Kind.ENUM_TYPE_DEFINITION)
      kept.set(name, { ...bare(type), values: type.values.map(bare) });
    else if (type.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION) {
      kept.set(name, bare(type));
      kept.set(name, { ...bare(type), fields: type.fields.map(cutArgument) });
    } else throw new Error(`A kept field has the type ${name}, which FIELDS does not name`);
  }
}

function bare({ description, directives, ...node }) {
  return { ...node, directives: (directives ?? []).filter((it) => it.name.value === "deprecated") };
}
