import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ProcessIdentity } from "../../core/model/process-identity.js";
import type { ExitInfo } from "../../ports/agent-processes.js";

/** The slot folder's files, and who writes each: the engine the first two, the wrapper all others. */
export const SLOT_FILES = {
  spec: "spec.json",
  wrapper: "wrapper.sh",
  /** Identity of the wrapper. Whoever creates this file first is the one that runs the agent. */
  identity: "pid.json",
  /** Pid and start time of the agent, which leads its own session and group. */
  agent: "agent",
  output: "out.jsonl",
  errors: "err.log",
  /** Why the wrapper ended its agent; absent when it did not. */
  ended: "ended",
  /** Carries the time of the engine's liveness file as the wrapper last saw it. */
  heard: "heard",
  exit: "exit.json",
} as const;

const ExitFile = z.object({
  code: z.int(),
  ended: z.enum(["by-itself", "wall-clock", "engine-gone"]).catch("by-itself"),
});

/** Stands for a process of which nothing is known but that it was started. Matches none. */
export const LOST: ProcessIdentity = { pid: 0, start: "unknown", boot: "unknown" };

export type IdentityReading =
  | { readonly kind: "none" }
  | { readonly kind: "known"; readonly identity: ProcessIdentity }
  /** Cut off by a crash of the machine: something was started here, and no more can be said. */
  | { readonly kind: "unreadable" };

export function readIdentity(folder: string): IdentityReading {
  const text = readIfThere(join(folder, SLOT_FILES.identity));
  if (text === null) return { kind: "none" };
  const parsed = ProcessIdentity.safeParse(jsonOrNothing(text));
  return parsed.success ? { kind: "known", identity: parsed.data } : { kind: "unreadable" };
}

/** Null when there is no exit file, or none that can be read. */
export function readExit(folder: string): ExitInfo | null {
  const text = readIfThere(join(folder, SLOT_FILES.exit));
  if (text === null) return null;
  const parsed = ExitFile.safeParse(jsonOrNothing(text));
  return parsed.success ? parsed.data : null;
}

/** Null until the agent itself has been started. */
export function readAgent(folder: string): { pid: number; start: string } | null {
  const text = readIfThere(join(folder, SLOT_FILES.agent));
  const [, pid, start] = /^([1-9]\d*) (\d+)\n$/.exec(text ?? "") ?? [];
  return pid === undefined || start === undefined ? null : { pid: Number(pid), start };
}

/** Read in place: these files are tiny and looked for all the time, mostly in vain. */
export function readIfThere(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  // A pipe or a folder in the place of a file says nothing, and reading a pipe would wait for ever.
  if (!found.isFile()) return "";
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
