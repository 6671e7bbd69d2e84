import { landingAdvice } from "../../../core/replies/land/landing-repo.js";
import { UserError } from "../../../lib/user-error.js";
import type { Signer } from "../../../ports/signer.js";
import type { Identity } from "./open-repo.js";
import { quietGit } from "./quiet-git.js";
import type { Stamp } from "./read-commits.js";
import { signingEnv } from "./signing-env.js";

export interface CommitFacts {
  /** A tree, or a commit's with `^{tree}`. */
  readonly tree: string;
  readonly parent: string;
  readonly author: Stamp;
  readonly committer: Identity;
  readonly message: string;
  /** Empty for UTF-8. */
  readonly encoding: string;
  readonly signer: Signer | null;
}

/**
 * Writes one commit, signed where there is a signer, with the message exactly as given; null when git takes no
 * such author, though a commit made by hand can have one.
 */
export async function writeCommit(repo: string, facts: CommitFacts): Promise<string | null> {
  const { author, committer, signer, encoding } = facts;
  const env = {
    ...signingEnv(signer),
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    // The sign tells git that this is a number of seconds, however small.
    GIT_AUTHOR_DATE: `@${author.date}`,
    GIT_COMMITTER_NAME: committer.name,
    GIT_COMMITTER_EMAIL: committer.email,
  };
  const settings = encoding === "" ? [] : ["-c", `i18n.commitEncoding=${encoding}`];
  const sign = signer === null ? [] : ["-S"];
  const args = [...settings, "commit-tree", ...sign, "-p", facts.parent, facts.tree];
  const answer = await quietGit(repo, args, { env, input: facts.message });
  if (answer.code === 0) return answer.stdout.trimEnd();
  if (/empty ident name|disallowed characters|invalid date/.test(answer.stderr)) return null;
  if (signer !== null) throw UserError.of(landingAdvice.notSigned(answer.stderr));
  throw new Error(`git commit-tree failed in ${repo}: ${answer.stderr.trim()}`);
}
