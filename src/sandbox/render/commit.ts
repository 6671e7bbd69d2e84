import { type Commit, loginOf } from "../git/world-commits.js";
import type { FileChange } from "../git/world-diff.js";
import type { JsonObject } from "../http/json.js";
import { verificationOf } from "../sign/verify-commit.js";
import type { Repository } from "../world/state.js";
import type { World } from "../world/world.js";
import { fullName, repositoryUrl } from "./repository.js";
import { nodeId, renderUser } from "./user.js";

export function renderCommit(world: World, repository: Repository, commit: Commit): JsonObject {
  const url = `${repositoryUrl(world, repository)}/commits/${commit.sha}`;
  const htmlUrl = `${world.url}/${fullName(repository)}/commit`;
  const login = loginOf(world, commit.author.email);
  const committer = loginOf(world, commit.committer.email);
  return {
    sha: commit.sha,
    node_id: nodeId("Commit", commit.sha),
    commit: {
      author: { ...commit.author },
      committer: { ...commit.committer },
      message: commit.message,
      tree: { sha: commit.tree, url: `${repositoryUrl(world, repository)}/git/trees/${commit.tree}` },
      url: `${repositoryUrl(world, repository)}/git/commits/${commit.sha}`,
      comment_count: 0,
      verification: renderVerification(world, repository, commit),
    },
    url,
    html_url: `${htmlUrl}/${commit.sha}`,
    comments_url: `${url}/comments`,
    author: login === null ? null : renderUser(world, login),
    committer: committer === null ? null : renderUser(world, committer),
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${repositoryUrl(world, repository)}/commits/${sha}`,
      html_url: `${htmlUrl}/${sha}`,
    })),
  };
}

function renderVerification(world: World, repository: Repository, commit: Commit): JsonObject {
  const { reason, verifiedAt } = verificationOf(world, repository, commit);
  const signed = reason !== "unsigned";
  return {
    verified: reason === "valid",
    reason,
    signature: signed ? commit.signature : null,
    payload: signed ? commit.payload : null,
    verified_at: verifiedAt,
  };
}

export function renderFile(
  world: World,
  repository: Repository,
  { file, head }: { readonly file: FileChange; readonly head: string },
): JsonObject {
  const htmlUrl = `${world.url}/${fullName(repository)}`;
  const path = file.path.split("/").map(encodeURIComponent).join("/");
  return {
    sha: file.blob,
    filename: file.path,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${htmlUrl}/blob/${head}/${path}`,
    raw_url: `${htmlUrl}/raw/${head}/${path}`,
    contents_url: `${repositoryUrl(world, repository)}/contents/${path}?ref=${head}`,
    ...(file.patch === null ? {} : { patch: file.patch }),
    ...(file.previousPath === null ? {} : { previous_filename: file.previousPath }),
  };
}
