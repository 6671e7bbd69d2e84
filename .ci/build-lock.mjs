// One process at a time may install and build in a checkout. The lock is a file that names its holder; it comes
// into being whole, as a link to a ticket written before. It lies in a folder of its own, which git ignores.
import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";

const FOLDER = "dist.lock";
const LOCK = `${FOLDER}/holder`;

/**
 * Waits until the lock is ours and returns what gives it back. `onWait` is told once whom we wait for; when
 * `patienceMs` are over, so is the waiting, and the answer is null.
 */
export function takeBuildLock(onWait, patienceMs) {
  const self = { pid: process.pid, start: startOf(process.pid), host: hostname(), nonce: nonce() };
  const ticket = `${FOLDER}/${self.nonce}`;
  const deadline = Date.now() + patienceMs;
  let told = false;
  for (;;) {
    writeTicket(ticket, self);
    if (linked(ticket, LOCK)) return () => giveBack(ticket, self);
    const holder = readHolder(LOCK);
    if (holder === null) continue;
    if (isGone(holder)) {
      if (inherited(ticket, holder)) return () => giveBack(ticket, self);
      continue;
    }
    if (!told) onWait(holder);
    told = true;
    if (Date.now() >= deadline) {
      rmSync(ticket, { force: true });
      return null;
    }
    pause(100);
  }
}

/**
 * Replaces a dead holder's lock by ours. Between looking and replacing somebody else may do the same, so the
 * right to it is taken first: a link named after the dead holder, of which there can be only one.
 */
function inherited(ticket, dead) {
  const right = `${FOLDER}/after-${dead.nonce}`;
  if (!linked(ticket, right)) {
    const heir = readHolder(right);
    if (heir !== null && isGone(heir)) rmSync(right, { force: true });
    pause(20);
    return false;
  }
  const ours = readHolder(LOCK)?.nonce === dead.nonce;
  if (ours) renameSync(ticket, LOCK);
  rmSync(right, { force: true });
  rmSync(`${FOLDER}/${dead.nonce}`, { force: true });
  return ours;
}

function giveBack(ticket, self) {
  rmSync(ticket, { force: true });
  if (readHolder(LOCK)?.nonce === self.nonce) rmSync(LOCK, { force: true });
  try {
    rmdirSync(FOLDER);
  } catch {
    // Somebody else waits in it.
  }
}

/** The folder goes with its last user, perhaps just now. */
function writeTicket(ticket, self) {
  for (;;) {
    mkdirSync(FOLDER, { recursive: true });
    try {
      writeFileSync(ticket, JSON.stringify(self));
      return;
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
    }
  }
}

function linked(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === "EEXIST" || error.code === "ENOENT") return false;
    throw error;
  }
}

/** Null when there is no lock. One that cannot be understood names nobody, and nobody is gone. */
function readHolder(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return null;
    if (error instanceof SyntaxError) return { pid: 0, start: "", host: "", nonce: "" };
    throw error;
  }
}

/** A process of another machine cannot be looked for, and counts as alive. */
function isGone({ pid, start, host }) {
  if (host !== hostname()) return host === "";
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code === "ESRCH") return true;
  }
  // Its number may have gone to another process since.
  return start !== startOf(pid);
}

/** When a process was started, in the kernel's own count; empty where the system does not say. */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")")).split(" ")[20] ?? "";
  } catch {
    return "";
  }
}

function nonce() {
  return randomBytes(8).toString("hex");
}

function pause(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
