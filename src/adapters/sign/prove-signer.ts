import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signingAdvice } from "../../core/replies/sign/signing.js";
import { UserError } from "../../lib/user-error.js";
import type { Signer } from "../../ports/signer.js";
import { removeFolder } from "../files/remove-folder.js";
import { quietGit, quietOutput } from "../git/exec/quiet-git.js";
import { runGit } from "../git/exec/run-git.js";
import { judgeSignatures } from "./verify-signatures.js";

const NOBODY = {
  GIT_AUTHOR_NAME: "koryph",
  GIT_AUTHOR_EMAIL: "koryph@koryph.invalid",
  GIT_COMMITTER_NAME: "koryph",
  GIT_COMMITTER_EMAIL: "koryph@koryph.invalid",
};

/**
 * Signs a commit in a repository made for the purpose and judges it as a landing would. Who it is by according
 * to `allowed`, the text of an `.allowed_signers`; null when that does not name the key, for git and for now.
 */
export async function proveSigner(signer: Signer, allowed: string): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), "koryph-prove-"));
  const repo = join(folder, "repo.git");
  try {
    const made = await runGit(folder, ["init", "--quiet", "--bare", "--template=", repo]);
    if (made.code !== 0) throw new Error(`cannot make ${repo}: ${made.stderr.trim()}`);
    const tree = (await quietOutput(repo, ["mktree"], { input: "" })).trim();
    const settings = signer.git.config.flatMap(([key, value]) => ["-c", `${key}=${value}`]);
    const commit = await quietGit(repo, [...settings, "commit-tree", "-S", "-m", "trial", tree], {
      env: { ...NOBODY, ...signer.git.env },
    });
    if (commit.code !== 0) throw UserError.of(signingAdvice.cannotSign(commit.stderr));
    const [judged] = await judgeSignatures(repo, allowed, commit.stdout.trim());
    return judged?.letter === "G" ? judged.signer : null;
  } finally {
    await removeFolder(folder);
  }
}
