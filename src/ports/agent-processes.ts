import type { ProcessIdentity } from "../core/model/process-identity.js";

/** What a process works with, for the walls around it. Where nothing contains processes it means nothing. */
export interface ProcessRoom {
  /** What it runs for: `containment.network` has an entry for each. */
  readonly purpose: "agents" | "gates" | "bootstrap";
  /** Folders of its own. */
  readonly writable: readonly string[];
  /** Folders of the operator's that it writes, too. */
  readonly shared?: readonly string[] | undefined;
  /** Folders and files that it reads besides the machine's own programs. */
  readonly readable: readonly string[];
  /** Where its model answers. */
  readonly hosts: readonly string[];
}

/** Everything needed to start a process, known and on disk before it is started. */
export interface ProcessSpec {
  /** The slot's own folder: the wrapper writes `out.jsonl`, `err.log` and `exit.json` here. Never visible to the agent. */
  readonly folder: string;
  readonly cwd: string;
  readonly argv: readonly string[];
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** File given to the process as standard input. */
  readonly stdin: string;
  /** Marks every descendant, so that leaked ones are found: the value of KORYPH_SLOT in `env`. */
  readonly marker: string;
  readonly wallSeconds: number;
  /** The engine touches this file; when it is older than `leaseSeconds` the wrapper ends its agent. */
  readonly livenessFile: string;
  readonly leaseSeconds: number;
  /** Absent for what is never contained. */
  readonly room?: ProcessRoom;
}

export interface ExitInfo {
  /** Null when the process is gone without having left word: killed, or lost with its machine. */
  readonly code: number | null;
  /** Why the wrapper itself ended it, if it did. */
  readonly ended: "by-itself" | "wall-clock" | "engine-gone" | "unknown";
}

export type ProcessStatus =
  /** Never started, or started by nobody who left a trace. */
  | { readonly kind: "none" }
  | { readonly kind: "alive"; readonly identity: ProcessIdentity }
  | { readonly kind: "ended"; readonly exit: ExitInfo };

/** Every attempt at one bead, whatever is recorded of it. */
export interface OtherAttempts {
  /** The private HOME that all of them share, and nobody else has. */
  readonly home: string;
  /** The marker of the one that is let live; null when none is. */
  readonly besides: string | null;
  /** Whether everybody else who works inside `cwd` goes too. */
  readonly inside: boolean;
}

/** Detached agent processes that outlive the engine. All verbs may be repeated. */
export interface AgentProcesses {
  /** Starts the process, or finds the one an earlier call for the same folder started. */
  start(spec: ProcessSpec): Promise<ProcessIdentity>;
  /** What became of the process started in this folder. */
  status(folder: string): Promise<ProcessStatus>;
  /** One rung of the ladder: sends the signal to the whole group. The caller has recorded its intent. */
  signal(folder: string, signal: "SIGINT" | "SIGTERM" | "SIGKILL"): Promise<void>;
  /**
   * Ends whatever still carries the marker or works inside `cwd`; returns how many were found. Other attempts it
   * ends wherever they work, and throws when one of them stays alive.
   */
  sweep(whose: string | OtherAttempts, cwd: string): Promise<number>;
  /** Calls back when a process started or found here ends. Returns how to stop watching. */
  watch(folder: string, onEnd: () => void): () => void;
  /** Seconds of CPU the marked processes have used so far, and when the newest output was written (ms). */
  activity(folder: string, marker: string): Promise<{ cpuSeconds: number; outputAt: number | null }>;
}
