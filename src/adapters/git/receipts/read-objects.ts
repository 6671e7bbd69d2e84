import { spawn } from "node:child_process";
import { gitEnvironment } from "../exec/git-environment.js";
import { quietEnvironment } from "../exec/quiet-git.js";
import { gitNotFound } from "../exec/run-git.js";

/** What cannot be read whole within this is left alone: it is none of ours. */
const MOST_BYTES = 16 * 1024 * 1024;
const LINE_END = 0x0a;

/**
 * The bytes of objects of one of koryph's own repositories, in the order asked for, all by one git; null for one that is
 * not there, or far too large. Names are hashes, also with a path behind them; no path holds a line break.
 */
export async function readObjects(repo: string, names: readonly string[]): Promise<(Buffer | null)[]> {
  if (names.length === 0) return [];
  const env = gitEnvironment(quietEnvironment(repo));
  const git = spawn("git", ["cat-file", "--batch"], { cwd: repo, env, stdio: ["pipe", "pipe", "ignore"] });
  const ended = new Promise<void>((resolve, reject) => {
    git.once("close", () => resolve());
    git.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "ENOENT" ? gitNotFound() : error),
    );
  });
  ended.catch(() => {});
  // It may have ended already; then answers are missing.
  git.stdin.on("error", () => {});
  git.stdin.end(names.map((name) => `${name}\n`).join(""));
  const found: (Buffer | null)[] = [];
  const reader = new AnswerReader();
  for await (const piece of git.stdout as AsyncIterable<Buffer>) found.push(...reader.read(piece));
  await ended;
  if (found.length !== names.length)
    throw new Error(`git cat-file gave ${found.length} of ${names.length} answers`);
  return found;
}

/** Puts answers together from the pieces in which they arrive: a line, and behind it so many bytes and a line's end. */
class AnswerReader {
  #pieces: Buffer[] = [];
  #held = 0;
  /** The answer that is under way: how long it is, with its line's end, and whether anybody wants it. */
  #open: { readonly size: number; readonly wanted: boolean } | null = null;

  read(piece: Buffer): (Buffer | null)[] {
    this.#pieces.push(piece);
    this.#held += piece.length;
    // An answer of many pieces is put together once, when all of it is there.
    if (this.#open !== null && this.#held < this.#open.size) return [];
    let rest = Buffer.concat(this.#pieces);
    const answers: (Buffer | null)[] = [];
    for (;;) {
      if (this.#open === null) {
        const end = rest.indexOf(LINE_END);
        if (end === -1) break;
        const size = /^[0-9a-f]{40,64} \w+ (\d+)$/.exec(rest.toString("utf8", 0, end))?.[1];
        rest = rest.subarray(end + 1);
        if (size === undefined) answers.push(null);
        else this.#open = { size: Number(size) + 1, wanted: Number(size) <= MOST_BYTES };
      } else {
        const { size, wanted } = this.#open;
        if (rest.length < size) break;
        answers.push(wanted ? rest.subarray(0, size - 1) : null);
        rest = rest.subarray(size);
        this.#open = null;
      }
    }
    this.#pieces = [rest];
    this.#held = rest.length;
    return answers;
  }
}
