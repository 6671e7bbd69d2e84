import type { ChildProcess } from "node:child_process";
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ProcessIdentity } from "../../core/model/process-identity.js";
import { processAdvice } from "../../core/replies/run/process.js";
import { UserError } from "../../lib/user-error.js";
import type {
  AgentProcesses,
  ExitInfo,
  OtherAttempts,
  ProcessSpec,
  ProcessStatus,
} from "../../ports/agent-processes.js";
import { bootId } from "./boot-id.js";
import { findUnsignedWrapper } from "./find-wrapper.js";
import { launchWrapper, type WrapperTimes } from "./launch-wrapper.js";
import { MarkedCpu } from "./marked-cpu.js";
import { isGone, readEntry } from "./proc-table.js";
import { LOST, readAgent, readExit, readIdentity, SLOT_FILES } from "./slot-files.js";
import { sweepOthers, sweepProcesses } from "./sweep-processes.js";
import { watchEnd } from "./watch-end.js";

export interface DetachedOptions extends Partial<WrapperTimes> {
  readonly platform?: string;
}

const WITHOUT_WORD: ExitInfo = { code: null, ended: "unknown" };
/** From the wrapper's first line to the agent's: a few milliseconds, unless the machine is on its knees. */
const AGENT_APPEARS_MS = 5_000;
const UNWRITABLE = new Set(["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM"]);

/**
 * Agents as detached processes, each under a small shell wrapper that outlives both the agent and the engine.
 * All that is known about them lies in the slot's folder and in /proc, so a new engine sees what the old one saw.
 */
export class DetachedProcesses implements AgentProcesses {
  readonly #times: WrapperTimes;
  readonly #cpu = new MarkedCpu();
  /** Wrappers that this very process started, by folder: their end comes as an event. */
  readonly #children = new Map<string, ChildProcess>();

  constructor({ graceSeconds = 5, tickSeconds = 10, platform = process.platform }: DetachedOptions = {}) {
    // Identities, sweeps and the wrapper's clock all come from /proc.
    if (platform !== "linux") throw UserError.of(processAdvice.needsLinux(platform));
    this.#times = { graceSeconds, tickSeconds };
  }

  async start(given: ProcessSpec): Promise<ProcessIdentity> {
    const spec = { ...given, folder: resolve(given.folder) };
    const status = await this.status(spec.folder);
    if (status.kind === "alive") return status.identity;
    if (status.kind === "ended") return recordedIdentity(spec.folder);
    const { identity, child } = await launchWrapper(spec, this.#times).catch((error: unknown) => {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== undefined && UNWRITABLE.has(code))
        throw UserError.of(processAdvice.unwritable(spec.folder, message));
      throw error;
    });
    if (child !== null) this.#remember(spec.folder, child);
    return identity;
  }

  async status(folder: string): Promise<ProcessStatus> {
    const exit = readExit(folder);
    if (exit !== null) return { kind: "ended", exit };
    const reading = readIdentity(folder);
    switch (reading.kind) {
      case "none": {
        const identity = findUnsignedWrapper(resolve(folder));
        return identity === null ? { kind: "none" } : { kind: "alive", identity };
      }
      case "unreadable":
        return { kind: "ended", exit: WITHOUT_WORD };
      case "known":
        if (isAlive(reading.identity)) return { kind: "alive", identity: reading.identity };
        // It may have written its last word between the two looks.
        return { kind: "ended", exit: readExit(folder) ?? WITHOUT_WORD };
    }
  }

  async signal(folder: string, signal: "SIGINT" | "SIGTERM" | "SIGKILL"): Promise<void> {
    const deadline = performance.now() + AGENT_APPEARS_MS;
    while ((await this.status(folder)).kind === "alive") {
      const agent = readAgent(folder);
      if (agent !== null) {
        // The wrapper lives and has not reaped its child, so the pid cannot have passed to another.
        if (readEntry(agent.pid)?.start === agent.start) killGroup(agent.pid, signal);
        return;
      }
      if (performance.now() > deadline) return;
      await delay(5);
    }
  }

  sweep(whose: string | OtherAttempts, cwd: string): Promise<number> {
    return typeof whose === "string" ? sweepProcesses(whose, cwd) : sweepOthers(whose, cwd);
  }

  watch(folder: string, onEnd: () => void): () => void {
    const hasEnded = async () => (await this.status(folder)).kind === "ended";
    return watchEnd({ folder, child: this.#children.get(resolve(folder)) ?? null, hasEnded }, onEnd);
  }

  async activity(folder: string, marker: string): Promise<{ cpuSeconds: number; outputAt: number | null }> {
    const output = await stat(join(folder, SLOT_FILES.output)).catch(() => null);
    // The wrapper creates the file; only what the agent writes into it is output.
    const outputAt = output === null || output.size === 0 ? null : output.mtimeMs;
    return { cpuSeconds: await this.#cpu.of(marker), outputAt };
  }

  #remember(folder: string, child: ChildProcess): void {
    if (child.exitCode !== null || child.signalCode !== null) return;
    this.#children.set(folder, child);
    child.once("exit", () => this.#children.delete(folder));
  }
}

function recordedIdentity(folder: string): ProcessIdentity {
  const reading = readIdentity(folder);
  return reading.kind === "known" ? reading.identity : LOST;
}

function killGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Whether exactly this process still runs: not a zombie, not a later one with its pid, not one of another boot. */
function isAlive({ pid, start, boot }: ProcessIdentity): boolean {
  if (boot !== bootId()) return false;
  const entry = readEntry(pid);
  return entry !== null && entry.start === start && !isGone(entry);
}
