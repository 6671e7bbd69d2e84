import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ledgerAdvice } from "../../../core/replies/run/ledger.js";
import { UserError } from "../../../lib/user-error.js";
import { ledgerGit, mustGit } from "./ledger-repository.js";

/** The last tip of the remote that was folded here: what a later one must follow from. */
export const SEEN_REF = "refs/koryph/seen";

export interface LedgerRefMove {
  readonly ref: string;
  /** What the ref must hold for the move to happen; null when it must not exist. */
  readonly from: string | null;
  readonly to: string;
}

const NONE = "0".repeat(40);
const LOCK_RETRY_MS = 50;
const LOCK_TRIES = 200;
/** Git holds a ref's lock for milliseconds. One this old belongs to a process that was killed. */
const LOCK_DEAD_MS = 3_000;

/**
 * The engine looks at these refs many times for every agent that ends. Git puts a ref's file in place whole, so
 * it can be read without git; only a ref that is packed, or not there, has to be asked for.
 */
export async function readLedgerRefs(gitDir: string, refs: readonly string[]): Promise<(string | null)[]> {
  const loose = await Promise.all(refs.map((ref) => readLoose(gitDir, ref)));
  return loose.includes(null) ? askForRefs(gitDir, refs) : loose;
}

async function readLoose(gitDir: string, ref: string): Promise<string | null> {
  const text = await readFile(join(gitDir, ref), "utf8").catch(() => "");
  return /^([0-9a-f]{40,64})\n$/.exec(text)?.[1] ?? null;
}

async function askForRefs(gitDir: string, refs: readonly string[]): Promise<(string | null)[]> {
  const out = await mustGit(gitDir, ["for-each-ref", "--format=%(refname) %(objectname)", ...refs]);
  const found = new Map(out.split("\n").map((line) => line.split(" ") as [string, string]));
  return refs.map((ref) => found.get(ref) ?? null);
}

/** Moves all refs or none; false when one of them no longer holds what was expected. */
export async function moveRefs(gitDir: string, moves: readonly LedgerRefMove[]): Promise<boolean> {
  const input = moves.map(({ ref, from, to }) => `update ${ref} ${to} ${from ?? NONE}\n`).join("");
  for (let left = LOCK_TRIES; ; left -= 1) {
    const { code, stderr } = await ledgerGit(gitDir, ["update-ref", "--stdin"], { input });
    if (code === 0) return true;
    const now = await readLedgerRefs(
      gitDir,
      moves.map(({ ref }) => ref),
    );
    if (moves.some(({ from }, index) => now[index] !== from)) return false;
    const lock = /Unable to create '([^']+\.lock)': File exists/.exec(stderr)?.[1];
    if (lock === undefined || left === 0) throw UserError.of(ledgerAdvice.unwritable(gitDir, stderr));
    await outlive(lock);
  }
}

async function outlive(lock: string): Promise<void> {
  const held = await stat(lock).catch(() => null);
  if (held !== null && Date.now() - held.mtimeMs > LOCK_DEAD_MS) await rm(lock, { force: true });
  else await pause(LOCK_RETRY_MS);
}
