import { mergedTree, storeCommit } from "../../git/store-commit.js";
import { type Commit, emailOf, listShas, readStoredCommits } from "../../git/world-commits.js";
import { signAsGitHub, WEB_FLOW } from "../../sign/web-flow.js";
import type { PullThread } from "../thread-changes.js";

export type MergeMethod = "merge" | "squash" | "rebase";

export interface WantedMerge {
  readonly method: MergeMethod;
  /** The login that pressed the button. */
  readonly by: string;
  readonly title: string | null;
  readonly message: string | null;
}

/** The commit that the button would put on the base; null where that conflicts. No ref holds it yet. */
export async function makeMerge(thread: PullThread, wanted: WantedMerge): Promise<string | null> {
  const { world, repository, issue } = thread;
  const { baseSha, headSha } = issue.pull;
  if (wanted.method === "rebase") return rebase(thread, wanted.by);
  const tree = await mergedTree(repository, [baseSha, headSha]);
  if (tree === null) return null;
  const merge = wanted.method === "merge";
  const { title, message } = merge ? mergeMessage(thread) : await squashMessage(thread);
  return storeCommit(world, repository, {
    tree,
    parents: merge ? [baseSha, headSha] : [baseSha],
    author: personOf(thread, merge ? wanted.by : issue.author),
    committer: WEB_FLOW,
    message: `${wanted.title ?? title}\n\n${wanted.message ?? message}`,
    sign: (text) => signAsGitHub(world, text),
  });
}

function personOf({ world }: PullThread, login: string) {
  return { name: login, email: emailOf(world, login) };
}

function mergeMessage({ issue }: PullThread) {
  const { headRepository, headRef } = issue.pull;
  const from = `${headRepository.split("/")[0]}/${headRef}`;
  return { title: `Merge pull request #${issue.number} from ${from}`, message: issue.title };
}

async function pulledCommits({ world, repository, issue }: PullThread): Promise<Commit[]> {
  const { baseSha, headSha } = issue.pull;
  const shas = await listShas(world, repository, ["--reverse", "--topo-order", `${baseSha}..${headSha}`]);
  return readStoredCommits(repository, shas);
}

/** One commit gives its own message; several are listed under the pull's title. */
async function squashMessage(thread: PullThread) {
  const commits = await pulledCommits(thread);
  const [only] = commits;
  const [subject = "", ...body] = commits.length === 1 ? (only?.message ?? "").split("\n") : [];
  if (commits.length === 1)
    return { title: `${subject} (#${thread.issue.number})`, message: body.join("\n").trim() };
  const title = `${thread.issue.title} (#${thread.issue.number})`;
  return { title, message: commits.map(({ message }) => `* ${message}`).join("\n\n") };
}

/** Every commit anew on top of the base, also where nothing else changes: signatures are lost. */
async function rebase(thread: PullThread, by: string): Promise<string | null> {
  const { world, repository, issue } = thread;
  const committer = personOf(thread, by);
  let tip = issue.pull.baseSha;
  for (const { sha, parents, author, message } of await pulledCommits(thread)) {
    const [parent] = parents;
    if (parent === undefined || parents.length > 1) return null;
    // Merging with a commit that has the tip's files and this commit's parent brings over just what it changes.
    const tree = `${tip}^{tree}`;
    const files = (await world.git(repository, ["rev-parse", tree])).trim();
    const beside = await storeCommit(world, repository, {
      ...{ tree: files, parents: [parent], author: committer, committer, message: "" },
    });
    const merged = await mergedTree(repository, [beside, sha]);
    if (merged === null) return null;
    tip = await storeCommit(world, repository, { tree: merged, parents: [tip], author, committer, message });
  }
  return tip;
}
