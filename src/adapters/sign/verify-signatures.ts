import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type CommitSignature,
  SIGNATURE_LETTERS,
  type SignatureLetter,
} from "../../core/land/commit-signature.js";
import { ALLOWED_SIGNERS, signingAdvice } from "../../core/replies/sign/signing.js";
import { UserError } from "../../lib/user-error.js";
import { removeFolder } from "../files/remove-folder.js";
import { quietGit, quietOutput } from "../git/exec/quiet-git.js";
import { readFileAt } from "../git/exec/read-file-at.js";
import type { GitAnswer } from "../git/exec/run-git.js";
import { plainlyGood } from "./plainly-good.js";

const FORMAT = "--format=%H%x00%G?%x00%GS%x00%GF";

/**
 * What each commit of the range is worth, oldest first, judged by `.allowed_signers` as the commit `base` of the
 * default branch has it: a branch must not say itself who may sign it. Without that file every signer is unknown.
 */
export async function verifySignatures(
  repo: string,
  base: string,
  range: { readonly base: string; readonly head: string },
): Promise<readonly CommitSignature[]> {
  return judgeRange(repo, (await readFileAt(repo, base, ALLOWED_SIGNERS)) ?? "", range);
}

/** The same by the text of a list of signers. Both ends are hashes. */
export async function judgeRange(
  repo: string,
  allowed: string,
  range: { readonly base: string; readonly head: string },
): Promise<readonly CommitSignature[]> {
  const good = await plainlyGood(repo, allowed, range);
  return good ?? judgeSignatures(repo, allowed, `${range.base}..${range.head}`);
}

/** What git and ssh-keygen say of commits, two processes for each signature. */
export async function judgeSignatures(
  repo: string,
  allowed: string,
  revisions: string,
): Promise<CommitSignature[]> {
  const folder = await mkdtemp(join(tmpdir(), "koryph-verify-"));
  try {
    const file = join(folder, "allowed_signers");
    await writeFile(file, allowed, { mode: 0o600 });
    const answer = await log(repo, file, revisions);
    const found = answer.code === 0 ? readLog(answer.stdout) : await oneByOne(repo, file, revisions);
    return await markForeign(repo, found, revisions);
  } finally {
    await removeFolder(folder);
  }
}

/** Whoever signed with OpenPGP or X.509, no program of theirs is run to find out. */
async function log(repo: string, file: string, revisions: string): Promise<GitAnswer> {
  const settings = {
    "gpg.format": "ssh",
    "gpg.program": "false",
    "gpg.openpgp.program": "false",
    "gpg.x509.program": "false",
    "gpg.ssh.program": "ssh-keygen",
    "gpg.ssh.allowedSignersFile": file,
  };
  const args = [
    ...Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`]),
    ...["log", "--reverse", "--topo-order", "--no-show-signature", FORMAT, "--end-of-options", revisions],
    "--",
  ];
  const answer = await quietGit(repo, args).catch((error: { signal?: string }) => {
    if (error.signal !== "SIGPIPE") throw error;
    return { code: BROKEN_PIPE, stdout: "", stderr: "" };
  });
  if (NO_SSH_KEYGEN.test(answer.stderr)) throw UserError.of(signingAdvice.noTool("ssh-keygen"));
  return answer;
}

/**
 * Git dies when ssh-keygen gives a damaged signature up before it has read what was signed: that is what a
 * shell would have said.
 */
const BROKEN_PIPE = 141;

/** Git calls every signature bad then, which is not known. */
const NO_SSH_KEYGEN = /cannot (?:run|exec) '?ssh-keygen|is needed for ssh signature verification/;

/** Git gives up on the whole range at one signature that is damaged, or of a kind it has never heard of. */
async function oneByOne(repo: string, file: string, revisions: string): Promise<CommitSignature[]> {
  const listed = await quietOutput(repo, [
    ...["rev-list", "--reverse", "--topo-order", "--end-of-options", revisions],
    "--",
  ]);
  const signatures: CommitSignature[] = [];
  for (const sha of listed.split("\n").filter((line) => line !== "")) {
    const answer = await log(repo, file, `${sha}^!`);
    if (answer.code === 0) signatures.push(...readLog(answer.stdout));
    else
      signatures.push({ sha, letter: answer.code === BROKEN_PIPE ? "B" : "E", signer: "", fingerprint: "" });
  }
  return signatures;
}

/** With no program to ask, git takes a commit with a foreign signature for an unsigned one. */
async function markForeign(
  repo: string,
  signatures: CommitSignature[],
  revisions: string,
): Promise<CommitSignature[]> {
  if (!signatures.some(({ letter }) => letter === "N")) return signatures;
  const headers = await quietOutput(repo, ["rev-list", "--header", "--end-of-options", revisions, "--"]);
  const signed = new Set(
    headers
      .split("\0")
      .filter((commit) => /^gpgsig/m.test(commit.split("\n\n", 1)[0] ?? ""))
      .map((commit) => commit.split("\n", 1)[0]),
  );
  return signatures.map((each) =>
    each.letter === "N" && signed.has(each.sha) ? { ...each, letter: "E" } : each,
  );
}

function readLog(output: string): CommitSignature[] {
  const lines = output.split("\n").filter((line) => line !== "");
  return lines.map((line) => {
    const [sha = "", letter = "", signer = "", fingerprint = ""] = line.split("\0");
    return { sha, letter: isLetter(letter) ? letter : "E", signer, fingerprint };
  });
}

function isLetter(letter: string): letter is SignatureLetter {
  return (SIGNATURE_LETTERS as readonly string[]).includes(letter);
}
