import { type Commit, loginOf, readStoredCommits } from "../git/world-commits.js";
import { fullName } from "../render/repository.js";
import { combinedState } from "../render/status.js";
import { nodeId } from "../render/user.js";
import { verificationOf } from "../sign/verify-commit.js";
import { newestRuns } from "../world/checks/check-suite.js";
import type { Repository } from "../world/state.js";
import { actorObject } from "./graphql-actors.js";
import { connection, type PageArguments } from "./graphql-connection.js";
import type { GraphqlObject, View } from "./graphql-view.js";

/** A commit whose parts are read when they are asked for. */
export function commitObject(view: View, repository: Repository, oid: string): GraphqlObject {
  const { world } = view;
  const load = async (): Promise<Commit> => {
    const [commit] = await readStoredCommits(repository, [oid]);
    if (commit === undefined) throw new Error(`${oid} is not in ${fullName(repository)}`);
    return commit;
  };
  return {
    __typename: "Commit",
    id: nodeId("Commit", oid),
    oid,
    abbreviatedOid: oid.slice(0, 7),
    url: `${world.url}/${fullName(repository)}/commit/${oid}`,
    message: async () => (await load()).message,
    messageHeadline: async () => (await load()).message.split("\n")[0],
    authoredDate: async () => (await load()).author.date,
    committedDate: async () => (await load()).committer.date,
    parents: async (args: PageArguments) => {
      const { parents } = await load();
      return connection(parents, args, {
        key: (sha) => sha,
        render: (sha) => commitObject(view, repository, sha),
      });
    },
    author: async () => gitActor(view, (await load()).author),
    committer: async () => gitActor(view, (await load()).committer),
    tree: async () => gitObject(view, repository, (await load()).tree),
    signature: async () => signatureObject(view, repository, await load()),
    statusCheckRollup: () => rollup(repository, oid),
  };
}

function gitActor(view: View, { name, email, date }: Commit["author"]) {
  const login = loginOf(view.world, email);
  return { name, email, date, user: actorObject(view, login) };
}

/** Null for a commit without one. */
function signatureObject(view: View, repository: Repository, commit: Commit): GraphqlObject | null {
  const { reason, verifiedAt, signer } = verificationOf(view.world, repository, commit);
  if (reason === "unsigned") return null;
  const ssh = commit.signature.startsWith("-----BEGIN SSH");
  return {
    __typename: ssh ? "SshSignature" : "UnknownSignature",
    email: commit.committer.email,
    isValid: reason === "valid",
    state: STATES[reason] ?? reason.toUpperCase(),
    payload: commit.payload,
    signature: commit.signature,
    signer: actorObject(view, signer?.login ?? null),
    verifiedAt,
    wasSignedByGitHub: signer?.login === "web-flow",
  };
}

/** GraphQL has some reasons under other names than REST. */
const STATES: Readonly<Partial<Record<string, string>>> = {
  malformed_signature: "MALFORMED_SIG",
  unknown_signature_type: "UNKNOWN_SIG_TYPE",
};

/** What statuses and check runs of a commit come to; null when it has none. */
function rollup(repository: Repository, oid: string): GraphqlObject | null {
  const statuses = [
    ...new Map(
      repository.statuses.filter(({ sha }) => sha === oid).map((status) => [status.context, status]),
    ).values(),
  ];
  const runs = newestRuns(
    repository,
    repository.checkRuns.filter(({ headSha }) => headSha === oid),
  );
  if (statuses.length + runs.length === 0) return null;
  const good = ["success", "neutral", "skipped"];
  const states = [
    ...(statuses.length === 0 ? [] : [combinedState(statuses)]),
    ...runs.map(({ status, conclusion }) => {
      if (status !== "completed") return "pending";
      return good.includes(conclusion ?? "") ? "success" : "failure";
    }),
  ];
  const state = (["failure", "pending"] as const).find((one) => states.includes(one)) ?? "success";
  return {
    __typename: "StatusCheckRollup",
    id: nodeId("StatusCheckRollup", oid),
    state: state.toUpperCase(),
  };
}

/** Null when there is no such ref. The name may be short: `main` is `refs/heads/main`. */
export async function refObject(
  view: View,
  repository: Repository,
  name: string,
): Promise<GraphqlObject | null> {
  const [found] = await readRefs(view, repository, qualified(name));
  return found?.name === qualified(name) ? renderRef(view, repository, found) : null;
}

export async function refsConnection(
  view: View,
  repository: Repository,
  { refPrefix, ...args }: PageArguments & { readonly refPrefix: string },
) {
  const refs = await readRefs(view, repository, refPrefix.replace(/\/$/, ""));
  return connection(refs, args, {
    key: ({ name }) => name,
    render: (ref) => renderRef(view, repository, ref),
  });
}

interface ReadRef {
  readonly name: string;
  readonly oid: string;
}

async function readRefs({ world }: View, repository: Repository, pattern: string): Promise<ReadRef[]> {
  const text = await world.git(repository, ["for-each-ref", "--format=%(objectname) %(refname)", pattern]);
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => ({ oid: line.slice(0, 40), name: line.slice(41) }));
}

function qualified(name: string): string {
  if (name.startsWith("refs/")) return name;
  return /^(heads|tags|pull)\//.test(name) ? `refs/${name}` : `refs/heads/${name}`;
}

function renderRef(view: View, repository: Repository, { name, oid }: ReadRef): GraphqlObject {
  const prefix = /^refs\/[^/]+\//.exec(name)?.[0] ?? "refs/";
  return {
    __typename: "Ref",
    id: Buffer.from(`0:Ref${repository.id}:${name}`).toString("base64"),
    name: name.slice(prefix.length),
    prefix,
    target: () => gitObject(view, repository, oid),
  };
}

/** What an expression such as `main:README.md` names; null when there is none. */
export async function gitObject(
  view: View,
  repository: Repository,
  expression: string,
): Promise<GraphqlObject | null> {
  const { world } = view;
  const line = await world.git(
    repository,
    ["cat-file", "--batch-check"],
    `${expression.replaceAll("\n", "")}\n`,
  );
  const [oid = "", kind = "", size = "0"] = line.trim().split(" ");
  const common = { id: nodeId("GitObject", oid), oid, abbreviatedOid: oid.slice(0, 7) };
  switch (kind) {
    case "commit":
      return commitObject(view, repository, oid);
    case "tree":
      return { __typename: "Tree", ...common };
    case "tag": {
      const text = await world.git(repository, ["cat-file", "tag", oid]);
      const name = /^tag (.*)$/m.exec(text)?.[1] ?? "";
      return { __typename: "Tag", ...common, name, message: text.slice(text.indexOf("\n\n") + 2) };
    }
    case "blob": {
      const bytes = await world.gitBytes(repository, ["cat-file", "blob", oid]);
      const isBinary = bytes.includes(0);
      const text = isBinary ? null : bytes.toString();
      return { __typename: "Blob", ...common, byteSize: Number(size), isBinary, isTruncated: false, text };
    }
    default:
      return null;
  }
}
