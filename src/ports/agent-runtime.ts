import type { AccountMark } from "../core/govern/verify-identity.js";
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
  /**
   * Whose account its agents would work on now, where the project pins one; null where it pins none. Absent for programs
   * that get no credentials. Throws `AccountRefused`.
   */
  account?(): Promise<AccountMark | null>;
  /** Throws a `UserError` when it cannot be started for this spec, such as with a model it does not know. */
  command(spec: LaunchSpec, probe: RuntimeProbe): AgentCommand;
  parser(spec: LaunchSpec, probe: RuntimeProbe): StreamParser;
  /** The signals that stop it, gentlest first. */
  readonly stopSignals: readonly StopSignal[];
}
