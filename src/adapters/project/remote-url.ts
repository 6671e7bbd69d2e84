import { projectAdvice } from "../../core/replies/config/project.js";
import { UserError } from "../../lib/user-error.js";
import { operatorPrint } from "../git/exec/operator-git.js";

/** Git's exit code for a remote that is not configured. */
const NO_SUCH_REMOTE = 2;

/** Where a remote points, or null when the repository has no such remote, or is none. */
export async function remoteUrl(root: string, name: string): Promise<string | null> {
  const answer = await operatorPrint(root, ["remote", "get-url", "--", name]);
  if (answer === null || answer.code === NO_SUCH_REMOTE) return null;
  if (answer.code !== 0) throw UserError.of(projectAdvice.gitFailed(root, answer.stderr));
  return answer.stdout.trimEnd();
}
