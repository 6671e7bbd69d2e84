import { objectContents } from "./object-contents.js";
import { quietGit, quietOutput } from "./quiet-git.js";

/** A file as a commit of one of koryph's own repositories has it; null when it has none of that name. */
export async function readFileAt(repo: string, commit: string, path: string): Promise<string | null> {
  const name = `${commit}:${path}`;
  const [found, holder] = (await objectContents(repo, [name, `${commit}^{commit}`])) ?? [];
  if (found?.type === "blob") return found.bytes.toString("utf8");
  if (holder?.type === "commit") return null;
  const answer = await quietGit(repo, ["cat-file", "blob", name]);
  if (answer.code === 0) return answer.stdout;
  // The same answer as for a commit that is not there, which would be broken.
  await quietOutput(repo, ["rev-parse", "--verify", "--end-of-options", `${commit}^{commit}`]);
  return null;
}
