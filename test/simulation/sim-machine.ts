import type { ProcessIdentity } from "../../src/core/run/ledger-event.js";
import type { OutcomeKind } from "../../src/core/run/outcome.js";
import type { EndFacts, Outcome } from "../../src/core/runtimes/agent-outcome.js";
import type { AgentProcesses, ProcessSpec, ProcessStatus } from "../../src/ports/agent-processes.js";
import type { AgentRuntime } from "../../src/ports/agent-runtime.js";
import type { LaunchRecord, SlotFolders, SlotPlace } from "../../src/ports/slot-folders.js";
import type { Worktrees } from "../../src/ports/worktrees.js";
import { SimLedgerDisk } from "./sim-ledger.js";

/** What an agent will do: how long it takes, how often it commits, how it ends. */
export interface Behaviour {
  readonly seconds: number;
  readonly commits: number;
  readonly dirty: boolean;
  readonly outcome: OutcomeKind;
}

interface SimProcess {
  readonly bead: string;
  readonly identity: ProcessIdentity;
  readonly startedAt: number;
  readonly behaviour: Behaviour;
  readonly leaseSeconds: number;
  alive: boolean;
  ended: "by-itself" | "engine-gone" | "unknown";
}

interface SimClone {
  commits: number;
  dirty: boolean;
}

const WRAPPER_LOOKS_EVERY_MS = 10_000;

/** One machine: its disk and its processes outlive the engine. */
export class SimMachine {
  readonly ledgerDisk = new SimLedgerDisk();
  readonly processes = new Map<string, SimProcess>();
  readonly clones = new Map<string, SimClone>();
  readonly launches = new Map<string, LaunchRecord>();
  readonly prepared = new Map<string, { conflict: boolean }>();
  readonly inbox: string[] = [];
  /** How old the liveness file is. */
  touchedAt = 0;
  #pids = 100;

  live(): SimProcess[] {
    return [...this.processes.values()].filter(({ alive }) => alive);
  }

  /** Lets time pass for the agents of this machine. */
  progress(now: number): void {
    for (const process of this.live()) {
      if (now - this.touchedAt > process.leaseSeconds * 1000 + WRAPPER_LOOKS_EVERY_MS)
        this.#end(process, "engine-gone");
      else if (now - process.startedAt >= process.behaviour.seconds * 1000) this.#finish(process);
    }
  }

  #finish(process: SimProcess): void {
    const clone = this.clones.get(process.bead);
    if (clone) {
      clone.commits += process.behaviour.commits;
      clone.dirty = process.behaviour.dirty;
    }
    this.#end(process, "by-itself");
  }

  #end(process: SimProcess, ended: SimProcess["ended"]): void {
    process.alive = false;
    process.ended = ended;
  }

  processPort(
    now: () => number,
    behaviour: (bead: string, attempt: number) => Behaviour,
    onStart: (bead: string) => void,
  ): AgentProcesses {
    return {
      start: async (spec: ProcessSpec) => {
        const there = this.processes.get(spec.folder);
        if (there) return there.identity;
        const [, bead = "", attempt = "1"] = spec.marker.split("/");
        this.#pids += 1;
        const identity = { pid: this.#pids, start: `${now()}`, boot: "sim" };
        const started = {
          bead,
          identity,
          startedAt: now(),
          behaviour: behaviour(bead, Number(attempt)),
          leaseSeconds: spec.leaseSeconds,
        };
        this.processes.set(spec.folder, { ...started, alive: true, ended: "unknown" });
        onStart(bead);
        return identity;
      },
      status: async (folder): Promise<ProcessStatus> => {
        const process = this.processes.get(folder);
        if (!process) return { kind: "none" };
        if (process.alive) return { kind: "alive", identity: process.identity };
        return {
          kind: "ended",
          exit: { code: process.ended === "unknown" ? null : 0, ended: process.ended },
        };
      },
      signal: async (folder) => {
        const process = this.processes.get(folder);
        if (process?.alive) this.#end(process, "unknown");
      },
      sweep: async () => 0,
      watch: () => () => {},
      activity: async () => ({ cpuSeconds: 0, outputAt: null }),
    };
  }

  folderPort(): SlotFolders {
    const folder = ({ run, bead, attempt }: SlotPlace) => `${run}/${bead}/${attempt}`;
    return {
      folder,
      agentFolder: (place) => `${folder(place)}/agent`,
      home: (place) => `${folder(place)}/home`,
      readPrepared: async (place) => this.prepared.get(folder(place)) ?? null,
      markPrepared: async (place, conflict) => void this.prepared.set(folder(place), { conflict }),
      writeLaunch: async (place, _prompt, record) => {
        this.launches.set(folder(place), record);
        return "prompt";
      },
      readLaunch: async (place) => this.launches.get(folder(place)) ?? null,
      readOutput: async (_place, from) => ({ lines: [], next: from }),
      readErrors: async () => "",
      readStatus: async () => null,
      writeManifest: async () => {},
      deliver: async (_place, key) => {
        if (!this.inbox.includes(key)) this.inbox.push(key);
      },
    };
  }

  worktreePort(): Worktrees {
    const facts = (bead: string) => ({
      path: `/clones/${bead}`,
      base: "b",
      head: "h",
      commits: this.clones.get(bead)?.commits ?? 0,
    });
    return {
      fetch: async () => ({ defaultBranch: "main", base: "b" }),
      prepare: async ({ bead, start }) => {
        const before = this.clones.get(bead);
        const commits = start === "resume" ? (before?.commits ?? 0) : 0;
        this.clones.set(bead, { commits, dirty: false });
        return { kind: "ready", facts: facts(bead), conflict: false };
      },
      pathOf: (bead) => `/clones/${bead}`,
      state: async (bead) => (this.clones.has(bead) ? "ready" : "absent"),
      collect: async (bead) => {
        const clone = this.clones.get(bead);
        return {
          head: clone && clone.commits > 0 ? `head-${bead}` : null,
          commits: clone?.commits ?? 0,
          dirty: clone?.dirty ?? false,
          findings: [],
        };
      },
      checkpoint: async () => {},
      remove: async (bead) => (this.clones.delete(bead) ? "removed" : "absent"),
    };
  }

  runtimePort(): AgentRuntime {
    return {
      name: "sim",
      probe: async () => ({ binary: "sim", version: "1" }),
      command: () => ({ argv: ["sim"], env: {} }),
      parser: (spec) => ({ push: () => [], end: (facts) => this.#outcome(spec.cwd, facts) }),
      stopSignals: ["SIGINT", "SIGTERM", "SIGKILL"],
    };
  }

  #outcome(cwd: string, { stopping, ended }: EndFacts): Outcome {
    const bead = cwd.split("/").at(-1) ?? "";
    const process = [...this.processes.values()].filter((candidate) => candidate.bead === bead).at(-1);
    const kind: OutcomeKind = stopping
      ? "stopped"
      : ended === "by-itself"
        ? (process?.behaviour.outcome ?? "lost")
        : "lost";
    return {
      kind,
      detail: "",
      session: null,
      text: "",
      structured: null,
      denials: [],
      costUsd: 0.5,
      costKnown: true,
      retryAt: null,
    };
  }
}
