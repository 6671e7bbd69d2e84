import { linkSync, readFileSync, renameSync, rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { readJson } from "../../core/config/read-json.js";
import type { LandWork } from "../../core/land/land-progress.js";
import { PLAINLY } from "../../core/model/plainly.js";
import { lockAdvice } from "../../core/replies/config/home.js";
import { UserError } from "../../lib/user-error.js";
import { writeSynced } from "../files/write-synced.js";
import { isHolderGone, LockHolder, thisProcess } from "./lock-holder.js";

/**
 * A lock is a file that names its holder. It comes into being whole, as a link to a ticket its taker has
 * written before, and goes when the holder removes it.
 *
 * A holder that died cannot. Deleting its file would be a race: between looking and deleting, somebody else
 * may have done the same and taken the lock. So the right to replace a dead holder's file is itself taken
 * first, as a link named after the dead holder, of which there can be only one. Should its taker die too,
 * the right passes on in the same way.
 */
interface HeldLock {
  readonly holder: LockHolder;
  /** Says in the file what the holder does with the lock. */
  tell(work: LandWork): Promise<void>;
  release(): Promise<void>;
  /** For the moment when a process exits and cannot wait. */
  releaseNow(): void;
}

export type LockAttempt =
  | { readonly kind: "taken"; readonly lock: HeldLock }
  | { readonly kind: "held"; readonly by: LockHolder };

export async function tryLock(path: string): Promise<LockAttempt> {
  // Most locks one waits for are simply held, and asking costs less than a ticket.
  const before = readHolder(path);
  if (before !== null && !isHolderGone(before)) return { kind: "held", by: before };
  const holder = thisProcess();
  const ticket = `${path}.${holder.nonce}`;
  try {
    await writeTicket(ticket, holder);
    for (;;) {
      if (linked(ticket, path)) return { kind: "taken", lock: heldLock(path, holder) };
      const current = readHolder(path);
      if (current === null) continue;
      if (!isHolderGone(current)) return { kind: "held", by: current };
      const heir = await inherit(path, ticket, current);
      if (heir === "self") return { kind: "taken", lock: heldLock(path, holder) };
      if (heir !== "nobody") return { kind: "held", by: heir };
    }
  } finally {
    rmSync(ticket, { force: true });
  }
}

/** Holds the lock while `action` runs. Waits for whoever has it, but not for ever. */
export async function withLock<T>(
  path: string,
  { what, waitSeconds = 30 }: { readonly what: string; readonly waitSeconds?: number },
  action: () => Promise<T>,
): Promise<T> {
  const lock = await waitFor(path, what, waitSeconds);
  try {
    return await action();
  } finally {
    await lock.release();
  }
}

async function waitFor(path: string, what: string, waitSeconds: number): Promise<HeldLock> {
  const deadline = Date.now() + waitSeconds * 1000;
  for (;;) {
    const attempt = await tryLock(path);
    if (attempt.kind === "taken") return attempt.lock;
    if (Date.now() >= deadline) throw UserError.of(lockAdvice.held(what, path, attempt.by));
    // Uneven waits keep two that met once from meeting again and again.
    await delay(5 + Math.random() * 20);
  }
}

/** Replaces a dead holder's lock by ours; or says who is about to, or that it is over already. */
async function inherit(
  path: string,
  ticket: string,
  dead: LockHolder,
): Promise<"self" | "nobody" | LockHolder> {
  const remains: string[] = [];
  for (let last = dead; ; ) {
    const right = `${path}.after-${last.nonce}`;
    remains.push(`${path}.${last.nonce}`, right);
    if (linked(ticket, right)) break;
    const heir = readHolder(right);
    if (heir === null) return "nobody";
    if (!isHolderGone(heir)) return heir;
    last = heir;
  }
  // A right is removed only after the lock was replaced, so one that was free for us although somebody had
  // it before shows here: the lock is no longer the dead holder's.
  const current = readHolder(path);
  const ours = current?.nonce === dead.nonce;
  if (ours) renameSync(ticket, path);
  for (const file of ours ? remains : remains.slice(-1)) rmSync(file, { force: true });
  return ours ? "self" : "nobody";
}

function heldLock(path: string, holder: LockHolder): HeldLock {
  return {
    holder,
    async tell(work) {
      const ticket = `${path}.${holder.nonce}`;
      try {
        await writeTicket(ticket, { ...holder, work });
        // Nobody replaces the file of a holder that lives, so it is still ours.
        renameSync(ticket, path);
      } finally {
        rmSync(ticket, { force: true });
      }
    },
    async release() {
      if (readHolder(path)?.nonce === holder.nonce) rmSync(path, { force: true });
    },
    releaseNow() {
      try {
        if (parseHolder(readFileSync(path, "utf8")).nonce === holder.nonce) rmSync(path);
      } catch {
        // It is gone already, or the disk is: nothing more can be done on the way out.
      }
    },
  };
}

function writeTicket(ticket: string, holder: LockHolder): Promise<void> {
  return writeSynced(ticket, `${JSON.stringify(holder)}\n`, 0o600);
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Null when there is no lock. */
export function readHolder(path: string): LockHolder | null {
  try {
    return parseHolder(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** A lock that cannot be read names nobody, and nobody can be proved dead. */
function parseHolder(text: string): LockHolder {
  const json = readJson(text);
  const holder = LockHolder.safeParse(json.kind === "json" ? json.data : null, PLAINLY);
  return holder.success ? holder.data : NOBODY;
}

const NOBODY: LockHolder = {
  pid: 0,
  start: "",
  boot: "",
  space: "",
  host: "an unknown host",
  since: "an unknown time",
  nonce: "",
};
