import { resolve } from "node:path";
import { operatorGit } from "../exec/operator-git.js";
import { quietGit, quietOutput } from "../exec/quiet-git.js";
import { type GitAnswer, runGit } from "../exec/run-git.js";

/** Keeps what was brought here last from being collected as garbage. */
const BROUGHT = "refs/koryph/gate";

/**
 * The commit that a person means by a name, brought into `repo.git`: as the operator's own checkout knows it, or else
 * koryph, which has agents' branches. Null when neither does.
 */
export async function bringCommit(repo: string, operatorRepo: string, name: string): Promise<string | null> {
  if (name.startsWith("-")) return null;
  const asked = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
  const theirs = await operatorGit(operatorRepo, asked);
  const sha = commitIn(theirs);
  if (sha === null) return commitIn(await quietGit(repo, asked));
  const args = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance"];
  const refspec = `+${sha}:${BROUGHT}`;
  const answer = await runGit(repo, [...args, resolve(operatorRepo), refspec], { env: { GIT_DIR: repo } });
  if (answer.code !== 0) throw new Error(`cannot bring ${sha} here: ${answer.stderr.trim()}`);
  await quietOutput(repo, ["cat-file", "-e", `${sha}^{commit}`]);
  return sha;
}

/** Null also for what names all but a commit, as `^HEAD` does. */
function commitIn(answer: GitAnswer | null): string | null {
  const said = answer?.code === 0 ? answer.stdout.trimEnd() : "";
  return /^[0-9a-f]{40,64}$/.test(said) ? said : null;
}
