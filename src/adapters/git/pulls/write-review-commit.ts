import { join } from "node:path";
import { pullAdvice } from "../../../core/replies/review/pull-words.js";
import { reviewTree, type TreeFile } from "../../../core/review/pull/review-tree.js";
import { UserError } from "../../../lib/user-error.js";
import { newFolder, removeFolder } from "../../files/remove-folder.js";
import type { Identity } from "../exec/open-repo.js";
import { quietOutput } from "../exec/quiet-git.js";

interface ReviewCommitFacts {
  /** Where the index is kept meanwhile. */
  readonly scratch: string;
  readonly head: string;
  /** The base branch, whose agent settings count. */
  readonly tip: string;
  readonly identity: Identity;
}

/** What Node makes of bytes that are no UTF-8. */
const UNREADABLE = "\u{FFFD}";

/**
 * A commit on top of the head that holds what a reviewer may read; the head itself where nothing has to change. It is
 * made without files: those of a stranger's are written only once they are harmless.
 */
export async function writeReviewCommit(
  repo: string,
  { scratch, head, tip, identity }: ReviewCommitFacts,
): Promise<string> {
  const change = reviewTree(await filesOf(repo, head), await filesOf(repo, tip));
  const paths = [...change.remove, ...change.put.map(({ path }) => path)];
  // Git would be told another name, and what has to go would stay.
  const odd = paths.find((path) => path.includes(UNREADABLE));
  if (odd !== undefined) throw UserError.of(pullAdvice.oddName(odd));
  const place = await newFolder(scratch);
  try {
    const env = { GIT_INDEX_FILE: join(place, "index") };
    await quietOutput(repo, ["read-tree", head], { env });
    const lines = [
      ...change.remove.map((path) => `0 ${"0".repeat(head.length)}\t${path}\0`),
      ...change.put.map(({ mode, sha, path }) => `${mode} ${sha}\t${path}\0`),
    ];
    await quietOutput(repo, ["update-index", "-z", "--index-info"], { env, input: lines.join("") });
    const tree = (await quietOutput(repo, ["write-tree"], { env })).trimEnd();
    const before = (await quietOutput(repo, ["rev-parse", `${head}^{tree}`])).trimEnd();
    return tree === before ? head : await commit(repo, { tree, head, identity });
  } finally {
    await removeFolder(place);
  }
}

async function filesOf(repo: string, commit: string): Promise<TreeFile[]> {
  const listed = await quietOutput(repo, ["ls-tree", "-r", "-z", "--full-tree", commit]);
  return [...listed.matchAll(/(\d{6}) [a-z]+ ([0-9a-f]+)\t([^\0]+)\0/g)].map(
    ([, mode = "", sha = "", path = ""]) => ({
      ...{ mode, sha, path },
    }),
  );
}

async function commit(
  repo: string,
  { tree, head, identity }: { readonly tree: string; readonly head: string; readonly identity: Identity },
): Promise<string> {
  const env = {
    ...{ GIT_AUTHOR_NAME: identity.name, GIT_AUTHOR_EMAIL: identity.email, GIT_AUTHOR_DATE: "@0 +0000" },
    ...{
      GIT_COMMITTER_NAME: identity.name,
      GIT_COMMITTER_EMAIL: identity.email,
      GIT_COMMITTER_DATE: "@0 +0000",
    },
  };
  const message = "chore: agent settings of the base branch";
  return (await quietOutput(repo, ["commit-tree", "-p", head, "-m", message, tree], { env })).trimEnd();
}
