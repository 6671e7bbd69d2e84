import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { projectAdvice } from "../../core/replies/config/project.js";
import { ALLOWED_SIGNERS, signingAdvice } from "../../core/replies/sign/signing.js";
import { withSigner } from "../../core/sign/allowed-signers.js";
import { UserError } from "../../lib/user-error.js";
import { writeAtomically } from "../files/write-atomically.js";
import { operatorPrint } from "../git/exec/operator-git.js";

export interface AllowedKey {
  readonly path: string;
  /** False when a line for the key was there before. */
  readonly added: boolean;
  /** Whether the current commit of the checkout has the file as it is now. */
  readonly committed: boolean;
}

/** Sees that `.allowed_signers` in the operator's checkout, at the repository's top, names the key. */
export async function allowSigner(root: string, principal: string, publicKey: string): Promise<AllowedKey> {
  const path = join(await repositoryTop(root), ALLOWED_SIGNERS);
  const found = await lstat(path).catch(() => null);
  if (found !== null && !found.isFile()) throw UserError.of(signingAdvice.inTheWay(path));
  try {
    const before = found === null ? "" : await readFile(path, "utf8");
    const after = withSigner(before, principal, publicKey);
    if (after !== before) await writeAtomically(path, after, found === null ? 0o644 : found.mode & 0o777);
    const committed = await operatorPrint(root, ["cat-file", "blob", `HEAD:${ALLOWED_SIGNERS}`]);
    return { path, added: after !== before, committed: committed?.code === 0 && committed.stdout === after };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw UserError.of(projectAdvice.unwritable(path, message));
  }
}

async function repositoryTop(root: string): Promise<string> {
  const answer = await operatorPrint(root, ["rev-parse", "--show-toplevel"]);
  if (answer === null) throw UserError.of(projectAdvice.noRepository(root));
  if (answer.code !== 0) throw UserError.of(projectAdvice.gitFailed(root, answer.stderr));
  return answer.stdout.replace(/\n$/, "");
}
