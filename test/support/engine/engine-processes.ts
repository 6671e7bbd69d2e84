import { readdirSync, readFileSync } from "node:fs";
import { isRunning } from "./agent-slot.js";

/** Pids of living processes whose command line or environment names this path: wrappers, agents, and what they left. */
export function processesOf(path: string): number[] {
  return readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    if (!/^\d+$/.test(name) || pid === process.pid || !isRunning(pid)) return [];
    return ["cmdline", "environ"].some((file) => readProc(pid, file).includes(path)) ? [pid] : [];
  });
}

/** The same as command lines, so that a test that fails tells what was left. */
export function commandsOf(path: string): string[] {
  return processesOf(path).map((pid) => `${pid} ${readProc(pid, "cmdline").replaceAll("\0", " ").trim()}`);
}

/** Kills what is left of a lab, until nothing is. */
export async function endMarked(path: string): Promise<void> {
  for (let round = 0; round < 50; round += 1) {
    const left = processesOf(path);
    if (left.length === 0) return;
    for (const pid of left) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // Gone meanwhile.
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
