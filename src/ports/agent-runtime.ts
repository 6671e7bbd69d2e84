import type { AgentCommand } from "../core/runtimes/agent-command.js";
import type { StreamParser } from "../core/runtimes/agent-outcome.js";
import type { LaunchSpec } from "../core/runtimes/launch-spec.js";
import type { StopSignal } from "../core/runtimes/runtime-descriptor.js";
import { UserError } from "../lib/user-error.js";

/** No agent may be started: nobody knows whose account it would work on, or it is another than the one expected. */
export class AccountRefused extends UserError {}

export interface RuntimeProbe {
  readonly binary: string;
  readonly version: string;
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
  readonly stopSignals: readonly StopSignal[];
}
