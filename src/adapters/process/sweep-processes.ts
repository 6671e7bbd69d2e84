import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { allPids, environmentOf, folderOf, isGone, type ProcessEntry, readEntry } from "./proc-table.js";

/** A process that forks faster than it is found would keep us here for ever. */
const GIVE_UP_MS = 5_000;

/**
 * Kills every process that carries the marker or works inside `cwd`, until none is left. Tools that agents
 * start lead sessions of their own, so no signal to the agent's group reaches them.
 */
export async function sweepProcesses(marker: string, cwd: string): Promise<number> {
  const folder = realFolder(cwd);
  if (marker === "" || folder === "/")
    throw new Error(`a sweep of ${folder} for "${marker}" would end everything`);
  const wanted = Buffer.from(`KORYPH_SLOT=${marker}`);
  const spared = ourselvesAndAncestors();
  const found = new Set<string>();
  const deadline = performance.now() + GIVE_UP_MS;
  for (let pauseMs = 2; ; pauseMs = Math.min(pauseMs * 2, 100)) {
    const left = allPids().flatMap((pid) => {
      if (spared.has(pid)) return [];
      const entry = readEntry(pid);
      if (entry === null || isGone(entry)) return [];
      return carries(environmentOf(pid), wanted) || isInside(folderOf(pid), folder) ? [entry] : [];
    });
    for (const entry of left) {
      found.add(`${entry.pid} ${entry.start}`);
      killExactly(entry);
    }
    // What was killed needs a moment to go; looking again also finds what it started meanwhile.
    if (left.length === 0 || performance.now() > deadline) return found.size;
    await delay(pauseMs);
  }
}

/** Whether one of the NUL-separated entries is exactly `wanted`. */
function carries(environment: Buffer, wanted: Buffer): boolean {
  for (let at = environment.indexOf(wanted); at !== -1; at = environment.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    const starts = at === 0 || environment[at - 1] === 0;
    if (starts && (end === environment.length || environment[end] === 0)) return true;
  }
  return false;
}

function isInside(place: string | null, folder: string): boolean {
  if (place === null) return false;
  if (place === folder || place.startsWith(`${folder}/`)) return true;
  // So the kernel shows a folder that was removed, unless there is one of that very name.
  return place === `${folder} (deleted)` && statSync(place, { throwIfNoEntry: false }) === undefined;
}

/** Pids are reused: the one that was looked at must still be the one that is there. */
function killExactly({ pid, start }: ProcessEntry): void {
  if (readEntry(pid)?.start !== start) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // Gone meanwhile, or somebody else's who happens to stand in that folder.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

function ourselvesAndAncestors(): ReadonlySet<number> {
  const spared = new Set<number>();
  for (let pid = process.pid; pid > 0 && !spared.has(pid); pid = readEntry(pid)?.parent ?? 0) spared.add(pid);
  return spared;
}

/** The path without symbolic links, also when the folder itself is gone. */
function realFolder(path: string): string {
  const full = resolve(path);
  try {
    return realpathSync(full);
  } catch {
    return full === "/" ? full : join(realFolder(dirname(full)), basename(full));
  }
}
