import { rm, stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { ledgerAdvice } from "../../../core/replies/ledger/ledger.js";
import { UserError } from "../../../lib/user-error.js";
import { moveRefsStanding } from "../exec/move-refs-standing.js";
import { readRefFiles } from "../exec/ref-files.js";
import { ledgerGit } from "./ledger-repository.js";

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

export async function readLedgerRefs(gitDir: string, refs: readonly string[]): Promise<(string | null)[]> {
  const found = new Map((await readRefFiles(gitDir, refs)).map(({ ref, sha }) => [ref, sha]));
  return refs.map((ref) => found.get(ref) ?? null);
}

/** Moves all refs or none; false when one of them no longer holds what was expected. */
export async function moveRefs(gitDir: string, moves: readonly LedgerRefMove[]): Promise<boolean> {
  const input = moves.map(({ ref, from, to }) => `update ${ref} ${to} ${from ?? NONE}\n`).join("");
  if (await moveRefsStanding(gitDir, input)) return true;
  for (let left = LOCK_TRIES; ; left -= 1) {
    const { code, stderr } = await ledgerGit(gitDir, ["update-ref", "--stdin"], { input });
    if (code === 0) return true;
    const now = await readLedgerRefs(
      gitDir,
      moves.map(({ ref }) => ref),
    );
    // The standing git may have ended after it had moved them. Nobody else writes commits with our events in them.
    if (moves.every(({ to }, index) => now[index] === to)) return true;
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
