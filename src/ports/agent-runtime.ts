import type { StreamParser } from "../core/runtimes/agent-outcome.js";

/** What is to be run, in words that every runtime understands. Stored before anything starts. */
export interface LaunchSpec {
  readonly role: "worker" | "reviewer";
  readonly cwd: string;
  /** The agent's own folder: status.json, SUMMARY.md, INBOX.md. */
  readonly agentFolder: string;
  /** Private HOME and settings of the agent. */
  readonly home: string;
  readonly model: string;
  readonly session: {
    readonly mode: "new" | "resume" | "fork";
    readonly id: string;
    readonly parent?: string;
  };
  readonly maxBudgetUsd: number | null;
  /** What the session had cost before, for runtimes whose counters go on counting. */
  readonly costBaselineUsd: number;
  /** Text that the runtime shall treat as its instructions, besides the prompt. */
  readonly systemAppend?: string;
  /** JSON Schema of the answer that is wanted. Runtimes keep to it as well as they can: what comes is to be checked. */
  readonly outputSchema?: object;
}

export interface RuntimeProbe {
  readonly binary: string;
  readonly version: string;
}

/** How an agent is started. */
export interface AgentCommand {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path → text, to be written whole before the start. All are in the agent's private home. */
  readonly files?: Readonly<Record<string, string>>;
}

/** One kind of agent program. */
export interface AgentRuntime {
  readonly name: string;
  /** Throws a `UserError` when the program is missing or unusable. */
  probe(): Promise<RuntimeProbe>;
  /** Throws a `UserError` when it cannot be started for this spec, such as with a model it does not know. */
  command(spec: LaunchSpec, probe: RuntimeProbe): AgentCommand;
  parser(spec: LaunchSpec, probe: RuntimeProbe): StreamParser;
  /** The signals that stop it, gentlest first. */
  readonly stopSignals: readonly ("SIGINT" | "SIGTERM" | "SIGKILL")[];
}
