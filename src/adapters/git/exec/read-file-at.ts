import { describeObjects } from "./describe-objects.js";
import { quietOutput } from "./quiet-git.js";

/** A file as a commit of one of koryph's own repositories has it; null when it has none of that name. */
export async function readFileAt(repo: string, commit: string, path: string): Promise<string | null> {
  const [found] = await describeObjects(repo, [`${commit}:${path}`]);
  return found?.type === "blob" ? quietOutput(repo, ["cat-file", "blob", found.sha]) : null;
}
