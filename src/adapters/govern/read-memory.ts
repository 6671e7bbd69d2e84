import { readFileSync } from "node:fs";

/** What the machine has, in MiB; nulls where nobody can tell. */
export interface MemoryReading {
  readonly availableMb: number | null;
  readonly totalMb: number | null;
}

const MEMINFO = "/proc/meminfo";

/** Read anew each time, from the system or from the file that stands in for it. */
export function readMemory(file: string = MEMINFO): MemoryReading {
  const text = textOf(file);
  return { availableMb: line(text, "MemAvailable"), totalMb: line(text, "MemTotal") };
}

/** The file that `KORYPH_MEMINFO` names, such as one that knows the limit of a container. */
export function memoryFile(env: NodeJS.ProcessEnv = process.env): string {
  return env.KORYPH_MEMINFO || MEMINFO;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function line(text: string, name: string): number | null {
  const [, kib] = new RegExp(`^${name}: *(\\d+) kB$`, "m").exec(text) ?? [];
  return kib === undefined ? null : Math.floor(Number(kib) / 1024);
}
