import type { Effort } from "../model/effort.js";
import type { TokenCounts } from "../model/token-counts.js";

/** What is to be run, in words that every runtime understands. Stored before anything starts. */
export interface LaunchSpec {
  readonly role: "worker" | "reviewer";
  readonly cwd: string;
  /** The agent's own folder: status.json, SUMMARY.md, INBOX.md. */
  readonly agentFolder: string;
  /** Private HOME and settings of the agent. */
  readonly home: string;
  readonly model: string;
  /** How much the agent is to think, where its runtime can be told; as the runtime likes unless given. */
  readonly effort?: Effort;
  readonly session: {
    readonly mode: "new" | "resume" | "fork";
    readonly id: string;
    readonly parent?: string;
  };
  /** What the guard must know, for runtimes that can be given one; absent where nobody guards. */
  readonly guard?: LaunchGuard;
  /** What the session had cost before, for runtimes whose counters go on counting. */
  readonly costBaselineUsd: number;
  /** What the session had read and written before, for the same; null or absent where nobody knows. */
  readonly tokenBaseline?: TokenCounts | null;
  /** Text that the runtime shall treat as its instructions, besides the prompt. */
  readonly systemAppend?: string;
  /** JSON Schema of the answer that is wanted. Runtimes keep to it as well as they can: what comes is to be checked. */
  readonly outputSchema?: object;
}

export interface LaunchGuard {
  /** The attempt's own folder, which is not the agent's. */
  readonly folder: string;
  /** Folders of the engine and the operator. */
  readonly engine: readonly string[];
  readonly defaultBranch: string;
}
