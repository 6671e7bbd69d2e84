import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { signingAdvice } from "../../core/replies/sign/signing.js";
import { keyTextOf } from "../../core/sign/private-key.js";
import { type Advice, UserError } from "../../lib/user-error.js";
import { operatorGit } from "../git/exec/operator-git.js";
import { startWatched } from "./watched-process.js";

const MOST_BYTES = 64 * 1024;
const COMMAND_MS = 30_000;

/** The private key in a file outside the repository `root` belongs to. */
export async function keyFromFile(path: string, root: string): Promise<Buffer> {
  await refuseInside(path, root);
  const key = await readWhole(path);
  return checked(key, `the signing key ${path}`);
}

/** A key as text; secrets of a workflow come without the line's end that ssh-add wants. */
export function givenKey(text: string): Buffer {
  return checked(Buffer.from(`${text.trim()}\n`), "the signing key that was given");
}

/** What a shell command prints. None of it is written down or shown, were it an error message. */
export async function keyFromCommand(
  command: string,
  env: NodeJS.ProcessEnv,
  limitMs = COMMAND_MS,
): Promise<Buffer> {
  const started = startWatched(["sh", "-c", command], env);
  let slow = false;
  const limit = setTimeout(() => {
    slow = true;
    void started.end();
    // Something that left the group may hold it open.
    started.stdout.destroy();
  }, limitMs);
  const pieces: Buffer[] = [];
  let size = 0;
  started.stdout.on("data", (piece: Buffer) => {
    size += piece.length;
    if (size <= MOST_BYTES) pieces.push(piece);
  });
  try {
    const allRead = new Promise((resolve) => started.stdout.once("close", resolve));
    const code = await started.ended;
    await allRead;
    if (slow) throw UserError.of(signingAdvice.commandSlow(limitMs / 1000));
    if (code !== 0) throw UserError.of(signingAdvice.commandFailed(code));
    return checked(Buffer.concat(pieces), "what the command for the signing key prints");
  } finally {
    clearTimeout(limit);
    for (const piece of pieces) piece.fill(0);
  }
}

/** A path as `key_ref` has it: absolute, or below the home folder. */
export function keyPath(keyRef: string, env: NodeJS.ProcessEnv): string {
  if (keyRef.startsWith("~/")) return join(env.HOME || homedir(), keyRef.slice(2));
  if (!isAbsolute(keyRef)) throw UserError.of(signingAdvice.relativePath(keyRef));
  return keyRef;
}

/** Also for a key that is still to be made; links are followed on both sides. */
export async function refuseInside(path: string, root: string): Promise<void> {
  const answer = await operatorGit(root, [
    ...["rev-parse", "--path-format=absolute", "--show-toplevel", "--git-common-dir"],
  ]);
  const folders = answer?.code === 0 ? answer.stdout.split("\n").filter((line) => line !== "") : [];
  const real = await existing(path);
  for (const folder of [root, ...folders]) {
    const top = await existing(folder);
    const way = relative(top, real);
    if (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way))
      throw UserError.of(signingAdvice.insideRepository(path, top));
  }
}

/** The real path, as far up as there is one. */
async function existing(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null);
  if (real !== null || path === dirname(path)) return real ?? path;
  return join(await existing(dirname(path)), relative(dirname(path), path));
}

async function readWhole(path: string): Promise<Buffer> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw UserError.of(
      code === "ENOENT" ? signingAdvice.noFile(path) : signingAdvice.unreadable(path, message),
    );
  }
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw UserError.of(signingAdvice.unreadable(path, "it is not a regular file"));
    if (stat.size > MOST_BYTES) throw UserError.of(signingAdvice.noKey(`the signing key ${path}`));
    if ((stat.mode & 0o077) !== 0) throw UserError.of(signingAdvice.openToOthers(path));
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** A key that ssh-add will take without a question. */
function checked(key: Buffer, what: string): Buffer {
  const problem = problemOf(key, what);
  if (problem === null) return key;
  key.fill(0);
  throw UserError.of(problem);
}

function problemOf(key: Buffer, what: string): Advice | null {
  switch (keyTextOf(key.toString("latin1"))) {
    case "open":
      return null;
    case "locked":
      return signingAdvice.locked(what);
    case "public":
      return signingAdvice.publicHalf(what);
    case "other":
      return signingAdvice.noKey(what);
  }
}
