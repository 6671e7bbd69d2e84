import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface ProcessEntry {
  readonly pid: number;
  /** One letter; see `isGone`. */
  readonly state: string;
  readonly parent: number;
  readonly session: number;
  /** The number of its controlling terminal; 0 when it has none. */
  readonly terminal: number;
  /** Clock ticks after boot. Kept as text: it is only ever compared. */
  readonly start: string;
  /** CPU used by the process and by those of its children it has waited for. */
  readonly cpuSeconds: number;
}

/** The kernel's unit for times in /proc, the same on every Linux whatever its own clock rate. */
const TICKS_PER_SECOND = 100;

export function allPids(): number[] {
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

/** Null when there is no such process. */
export function readEntry(pid: number): ProcessEntry | null {
  const stat = read(pid, "stat");
  return stat === null ? null : parseStat(pid, stat.toString("latin1"));
}

/** A process chooses its own name, brackets and blanks included; the numbers begin after the last bracket. */
export function parseStat(pid: number, stat: string): ProcessEntry | null {
  const fields = stat
    .slice(stat.lastIndexOf(")") + 2)
    .trim()
    .split(" ");
  // The manual counts from 1 and the state letter is its field 3.
  const field = (number: number): string => fields[number - 3] ?? "";
  const start = field(22);
  if (start === "") return null;
  const ticks = [14, 15, 16, 17].reduce((sum, number) => sum + Number(field(number)), 0);
  return {
    pid,
    state: field(3),
    parent: Number(field(4)),
    session: Number(field(6)),
    terminal: Number(field(7)),
    start,
    cpuSeconds: ticks / TICKS_PER_SECOND,
  };
}

/** A zombie still has its pid and answers signals, but it does nothing any more. */
export function isGone({ state }: ProcessEntry): boolean {
  return state === "Z" || state === "X";
}

/** The environment the process was started with; empty when it is gone or not ours to read. */
export function environmentOf(pid: number): Buffer {
  return read(pid, "environ") ?? Buffer.alloc(0);
}

/** The variable's value among the NUL-separated entries; null when there is none of that very name. */
export function valueIn(environment: Buffer, name: string): string | null {
  const start = `${name}=`;
  for (let at = environment.indexOf(start); at !== -1; at = environment.indexOf(start, at + 1)) {
    if (at > 0 && environment[at - 1] !== 0) continue;
    const end = environment.indexOf(0, at);
    return environment.toString("utf8", at + start.length, end === -1 ? environment.length : end);
  }
  return null;
}

export function commandOf(pid: number): readonly string[] {
  return (read(pid, "cmdline") ?? Buffer.alloc(0)).toString("utf8").split("\0").slice(0, -1);
}

/** The folder the process works in, without symbolic links; null when it is gone or not ours to read. */
export function folderOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

function read(pid: number, name: string): Buffer | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // ESRCH comes when the process ends between opening and reading.
    if (code === "ENOENT" || code === "ESRCH" || code === "EACCES" || code === "EPERM") return null;
    throw error;
  }
}
