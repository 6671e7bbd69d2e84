import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { attemptTrouble } from "../../core/replies/run/attempts.js";
import type { OtherAttempts } from "../../ports/agent-processes.js";
import {
  allPids,
  environmentOf,
  folderOf,
  isGone,
  type ProcessEntry,
  readEntry,
  valueIn,
} from "./proc-table.js";
import { isStranger, lineOf } from "./strangers.js";
import { asideName } from "./wrapper.js";

/** A process that forks faster than it is found would keep us here for ever. */
const GIVE_UP_MS = 5_000;

/**
 * Kills every process that carries the marker or works inside `cwd` and is no stranger there, until none is left.
 * Tools that agents start lead sessions of their own, so no signal to the agent's group reaches them.
 */
export async function sweepProcesses(marker: string, cwd: string): Promise<number> {
  const folder = realFolder(cwd);
  if (marker === "") throw new Error(`a sweep of ${folder} for "" would end everything`);
  const { found } = await sweepUntilNone(folder, (pids, ours) => ({
    waitFor: false,
    kill: pids.filter(
      (pid) => valueIn(environmentOf(pid), "KORYPH_SLOT") === marker || isLeftIn(folder, pid, ours),
    ),
  }));
  return found;
}

/**
 * Kills what belongs to any attempt with this HOME but the one that is let live. The wrapper lives for as long as
 * its agent, so the two tell which markers are meant, also of children that were given another HOME. It is not
 * killed but waited for: it ends with its agent, and one that was only about to start its agent is met again with it.
 */
export async function sweepOthers({ home, besides, inside }: OtherAttempts, cwd: string): Promise<number> {
  const [folder, realHome] = [realFolder(cwd), realFolder(home)];
  const markers = new Set<string>();
  const { found, left } = await sweepUntilNone(folder, (pids, ours) => {
    const seen = pids.map((pid) => ({ pid, ...signsIn(environmentOf(pid), realHome) }));
    for (const { isOurs, marker, wraps } of seen) {
      const named = marker ?? wraps;
      if (isOurs && named !== null && named !== besides) markers.add(named);
    }
    const waitFor = seen.some(
      ({ pid, marker, wraps }) =>
        marker === null && wraps !== null && markers.has(wraps) && leadsItsSession(pid),
    );
    const kill = seen.filter(({ pid, marker, wraps }) => {
      if (marker !== null && markers.has(marker)) return true;
      const isSpared = wraps !== null || (marker !== null && marker === besides);
      return inside && !isSpared && isLeftIn(folder, pid, ours);
    });
    return { waitFor, kill: kill.map(({ pid }) => pid) };
  });
  if (left) throw new Error(attemptTrouble.outlives(cwd));
  return found;
}

interface Catch {
  readonly kill: readonly number[];
  /** Others are about to end by themselves. */
  readonly waitFor: boolean;
}

type Look = (pids: readonly number[], ours: ReadonlySet<number>) => Catch;

async function sweepUntilNone(folder: string, look: Look) {
  if (folder === "/") throw new Error(`a sweep of ${folder} would end everything`);
  const ours = ourselvesAndAncestors();
  const found = new Map<string, ProcessEntry>();
  const deadline = performance.now() + GIVE_UP_MS;
  for (let pauseMs = 2; ; pauseMs = Math.min(pauseMs * 2, 100)) {
    // What was killed needs a moment to go, and gives up its folder and environment, by which it was found, before
    // it is gone. Looking again after that also finds what it started meanwhile, and what sat at its terminal.
    const wereThere = [...found.values()].some(isStillThere);
    const { kill, waitFor } = look(
      allPids().filter((pid) => !ours.has(pid)),
      ours,
    );
    const alive = kill.flatMap((pid) => {
      const entry = readEntry(pid);
      // Pids are reused: what was found must be found again in the very process that is killed.
      return entry === null || isGone(entry) || look([pid], ours).kill.length === 0 ? [] : [entry];
    });
    for (const entry of alive) {
      found.set(`${entry.pid} ${entry.start}`, entry);
      killExactly(entry);
    }
    const left = waitFor || alive.length > 0 || wereThere;
    if (!left || performance.now() > deadline) return { found: found.size, left };
    await delay(pauseMs);
  }
}

function isStillThere({ pid, start }: ProcessEntry): boolean {
  const entry = readEntry(pid);
  return entry !== null && entry.start === start && !isGone(entry);
}

/** What a process's environment says: whether the HOME is this one, whose process it is, and whose wrapper. */
function signsIn(environment: Buffer, realHome: string) {
  const home = valueIn(environment, "HOME");
  return {
    // The last name first: looking links up takes longer than all else here.
    isOurs: home !== null && basename(home) === basename(realHome) && realFolder(home) === realHome,
    marker: valueIn(environment, "KORYPH_SLOT"),
    wraps: valueIn(environment, asideName("KORYPH_SLOT")),
  };
}

/** The wrapper does; its watcher, which outlives it for a moment, does not. */
function leadsItsSession(pid: number): boolean {
  const entry = readEntry(pid);
  return entry !== null && !isGone(entry) && entry.session === pid;
}

function isLeftIn(folder: string, first: number, ours: ReadonlySet<number>): boolean {
  const isHere = (pid: number) => isInside(folderOf(pid), folder);
  return isHere(first) && !isStranger(lineOf(first, ours, isHere));
}

function isInside(place: string | null, folder: string): boolean {
  if (place === null) return false;
  if (place === folder || place.startsWith(`${folder}/`)) return true;
  // So the kernel shows a folder that was removed, unless there is one of that very name.
  return place === `${folder} (deleted)` && statSync(place, { throwIfNoEntry: false }) === undefined;
}

/** The one that was looked at must still be the one that is there. */
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
