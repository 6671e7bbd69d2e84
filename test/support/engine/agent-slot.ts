import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { DetachedProcesses } from "../../../src/adapters/process/detached-processes.js";
import type { ExitInfo, ProcessSpec } from "../../../src/ports/agent-processes.js";
import { tempFolder } from "../temp-folder.js";

/** Nothing a path, an argument or a variable may hold should mean anything to a shell. */
export const HOSTILE = 'it\'s "a"  $(touch oops) `touch oops` $HOME * \\ ;& | < > # ~ é';

const MARKERS = `koryph-test-${process.pid}-`;
let slots = 0;

export interface AgentSlot {
  readonly spec: ProcessSpec;
  readonly processes: DetachedProcesses;
  /** Waits for the end and returns what is known about it. */
  ended(): Promise<ExitInfo>;
  /** Waits until the agent has printed this line. */
  says(line: string): Promise<void>;
  output(): string;
  file(name: string): string;
}

/** A slot's folder, clone and agent, all with names no shell would like. Whatever lives at the end is killed. */
export function agentSlot(script: string, changes: Partial<ProcessSpec> = {}): AgentSlot {
  const root = join(tempFolder(), HOSTILE);
  const [folder, cwd] = [join(root, "-the slot\n--"), join(root, "-the clone\n--")];
  for (const path of [folder, cwd]) mkdirSync(path, { recursive: true });
  const [stdin, livenessFile] = [join(root, "-prompt"), join(root, "-alive")];
  for (const path of [stdin, livenessFile]) writeFileSync(path, "");
  slots += 1;
  const marker = `${MARKERS}${slots} '*'`;
  const spec: ProcessSpec = {
    folder,
    cwd,
    argv: ["/bin/sh", "-c", script, "agent"],
    env: { PATH: process.env.PATH ?? "", KORYPH_SLOT: marker },
    stdin,
    marker,
    wallSeconds: 600,
    livenessFile,
    leaseSeconds: 600,
    ...changes,
  };
  const processes = new DetachedProcesses({ graceSeconds: 0.3, tickSeconds: 1 });
  onTestFinished(async () => {
    // The agent's end is the wrapper's end; one that is only about to start is met by the next sweep.
    await vi.waitFor(async () => {
      await processes.sweep(marker, cwd);
      expect(livingWrappers(folder)).toEqual([]);
    }, 15_000);
  });
  const file = (name: string) => join(folder, name);
  const output = () => (existsSync(file("out.jsonl")) ? readFileSync(file("out.jsonl"), "utf8") : "");
  return {
    spec,
    processes,
    file,
    output,
    ended: () =>
      vi.waitFor(
        async () => {
          const status = await processes.status(folder);
          if (status.kind !== "ended") throw new Error(`the agent is ${status.kind}`);
          return status.exit;
        },
        { timeout: 30_000, interval: 10 },
      ),
    says: (line) =>
      vi.waitFor(() => expect(output().split("\n")).toContain(line), { timeout: 30_000, interval: 5 }),
  };
}

/** Command lines of living processes that have this text in one of their arguments. */
export function livingWrappers(text: string): string[] {
  return living((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8")).filter((command) =>
    command.includes(text),
  );
}

/** Environments of living processes that carry a marker of this test file. */
export function livingMarked(): string[] {
  return living((pid) => readFileSync(`/proc/${pid}/environ`, "utf8")).filter((environment) =>
    environment.includes(`KORYPH_SLOT=${MARKERS}`),
  );
}

export function isRunning(pid: number): boolean {
  try {
    return !/^.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

function living(read: (pid: number) => string): string[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name) || !isRunning(Number(name))) return [];
    try {
      return [read(Number(name))];
    } catch {
      return [];
    }
  });
}
