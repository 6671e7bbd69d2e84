import type { OutcomeKind } from "../../src/core/model/agent-end.js";
import { PAUSE_KINDS } from "../../src/core/model/pause-kind.js";
import type { ProcessIdentity } from "../../src/core/model/process-identity.js";
import type { Outcome, ProcessEnd } from "../../src/core/runtimes/agent-outcome.js";
import type { AgentProcesses, ProcessSpec, ProcessStatus } from "../../src/ports/agent-processes.js";
import type { AgentRuntime } from "../../src/ports/agent-runtime.js";
import type { SimClones, Work } from "./sim-clones.js";

/** What an agent will do: how long it takes, what it commits, what it says, how it ends. */
export interface Behaviour extends Work {
  readonly seconds: number;
  readonly outcome: OutcomeKind;
  /** A reviewer's answer. */
  readonly text: string;
}

interface SimProcess {
  readonly folder: string;
  readonly bead: string;
  readonly marker: string;
  readonly identity: ProcessIdentity;
  readonly startedAt: number;
  readonly reviews: boolean;
  readonly behaviour: Behaviour;
  readonly leaseSeconds: number;
  alive: boolean;
  ended: "by-itself" | "engine-gone" | "unknown";
}

const WRAPPER_LOOKS_EVERY_MS = 10_000;
const LONGEST_PAUSE_MS = 15_000;

/** The agents of one machine. They outlive the engine that started them. */
export class SimProcesses {
  readonly #clones: SimClones;
  readonly #processes = new Map<string, SimProcess>();
  /** The time that the liveness file carries, and the true time when that last changed. */
  #livenessAt = 0;
  #touchedAt = 0;
  /** Since when an engine has looked here without a longer pause, and when it last did; null when there is none. */
  #attended: { readonly since: number; readonly at: number } | null = null;
  #pids = 100;

  constructor(clones: SimClones) {
    this.#clones = clones;
  }

  live(): SimProcess[] {
    return [...this.#processes.values()].filter(({ alive }) => alive);
  }

  has(folder: string): boolean {
    return this.#processes.has(folder);
  }

  /** Whether the agent's output shows an answer of its model. */
  isAnswered(folder: string): boolean {
    const process = this.#processes.get(folder);
    return process !== undefined && !PAUSE_KINDS.some((kind) => kind === process.behaviour.outcome);
  }

  /** Wrappers look whether the file has changed; what time it carries does not matter to them. */
  touch(at: number, now: number): void {
    if (at === this.#livenessAt) return;
    this.#livenessAt = at;
    this.#touchedAt = now;
  }

  /** An engine with a lease has looked, or there is none any more. */
  attended(now: number | null): void {
    const before = this.#attended;
    if (now === null) this.#attended = null;
    else if (before !== null && now - before.at <= LONGEST_PAUSE_MS) this.#attended = { ...before, at: now };
    else this.#attended = { since: now, at: now };
  }

  /** Lets true time pass for the agents of this machine. */
  progress(now: number): void {
    for (const process of this.live()) {
      // A wrapper has heard nothing before it was started, so it counts from there at the earliest.
      const patienceMs = process.leaseSeconds * 1000 + WRAPPER_LOOKS_EVERY_MS;
      if (now - Math.max(this.#touchedAt, process.startedAt) > patienceMs) {
        const { since = now, at = 0 } = this.#attended ?? {};
        if (now - at <= LONGEST_PAUSE_MS && now - since > patienceMs)
          throw new Error(`the agent of ${process.bead} was ended as if its engine were gone`);
        end(process, "engine-gone");
      }
      if (process.alive && now - process.startedAt >= process.behaviour.seconds * 1000) this.#finish(process);
    }
  }

  #finish(process: SimProcess): void {
    if (!process.reviews) this.#clones.work(process.bead, process.behaviour);
    end(process, "by-itself");
  }

  port(
    now: () => number,
    behaviour: (attempt: number, reviews: boolean) => Behaviour,
    onStart: (bead: string) => void,
  ): AgentProcesses {
    return {
      start: async (spec: ProcessSpec) => {
        const there = this.#processes.get(spec.folder);
        if (there) return there.identity;
        const [, bead = "", attempt = "1"] = spec.marker.split("/");
        const reviews = spec.cwd.startsWith("/checks/");
        this.#pids += 1;
        const started = {
          folder: spec.folder,
          bead,
          marker: spec.marker,
          identity: { pid: this.#pids, start: `${now()}`, boot: "sim" },
          startedAt: now(),
          reviews,
          behaviour: behaviour(Number(attempt), reviews),
          leaseSeconds: spec.leaseSeconds,
        };
        this.#processes.set(spec.folder, { ...started, alive: true, ended: "unknown" });
        onStart(bead);
        return started.identity;
      },
      status: async (folder): Promise<ProcessStatus> => {
        const process = this.#processes.get(folder);
        if (!process) return { kind: "none" };
        if (process.alive) return { kind: "alive", identity: process.identity };
        return {
          kind: "ended",
          exit: { code: process.ended === "unknown" ? null : 0, ended: process.ended },
        };
      },
      signal: async (folder) => {
        const process = this.#processes.get(folder);
        if (process?.alive) end(process, "unknown");
      },
      sweep: async (whose, cwd) => {
        if (typeof whose === "string") return 0;
        const others = this.live().filter(
          ({ bead, marker }) => cwd === `/clones/${bead}` && marker !== whose.besides,
        );
        for (const process of others) end(process, "unknown");
        return others.length;
      },
      watch: () => () => {},
      activity: async () => ({ cpuSeconds: 0, outputAt: null }),
    };
  }

  runtimePort(): AgentRuntime {
    return {
      name: "sim",
      probe: async () => ({ binary: "sim", version: "1" }),
      command: () => ({ argv: ["sim"], env: {} }),
      parser: ({ agentFolder }) => ({
        push: (text) => [{ kind: "text", text }],
        end: (facts) => this.#outcome(agentFolder.slice(0, -"/agent".length), facts),
      }),
      stopSignals: ["SIGINT", "SIGTERM", "SIGKILL"],
    };
  }

  #outcome(folder: string, { stopping, ended }: ProcessEnd): Outcome {
    const { outcome = "lost", text = "" } = this.#processes.get(folder)?.behaviour ?? {};
    const kind: OutcomeKind = stopping ? "stopped" : ended === "by-itself" ? outcome : "lost";
    const spent = { costUsd: 0.5, costKnown: true, retryAt: null };
    return { kind, detail: "", session: null, text, structured: null, denials: [], ...spent };
  }
}

function end(process: SimProcess, ended: SimProcess["ended"]): void {
  process.alive = false;
  process.ended = ended;
}
