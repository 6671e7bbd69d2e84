import { runtimeAdvice } from "../../core/replies/runtimes/runtimes.js";
import type { AgentCommand } from "../../core/runtimes/agent-command.js";
import { agentEnvironment } from "../../core/runtimes/agent-environment.js";
import type { StreamParser } from "../../core/runtimes/agent-outcome.js";
import { CommandStream } from "../../core/runtimes/command/command-stream.js";
import { commandVariables } from "../../core/runtimes/command/command-variables.js";
import type { LaunchSpec } from "../../core/runtimes/launch-spec.js";
import { UserError } from "../../lib/user-error.js";
import type { AgentRuntime, RuntimeProbe } from "../../ports/agent-runtime.js";
import type { RuntimeSettings } from "./described-runtime.js";
import { findProgram } from "./find-binary.js";

/** Any executable: it reads the prompt on standard input, works in its folder, and its exit code says how it went. */
export class CommandRuntime implements AgentRuntime {
  readonly name: string;
  /** What any program expects to be ended by; an interrupt is for people at a terminal. */
  readonly stopSignals = ["SIGTERM", "SIGKILL"] as const;
  readonly #settings: RuntimeSettings;

  constructor(name: string, settings: RuntimeSettings) {
    this.name = name;
    this.#settings = settings;
  }

  /** The version stays unknown: asking for one could set an agent to work that does not look at its arguments. */
  async probe(): Promise<RuntimeProbe> {
    const { root, parent, command } = this.#settings;
    const program = command?.[0];
    if (program === undefined) throw UserError.of(runtimeAdvice.noCommand(this.name));
    const found = await findProgram(program, { root, path: parent.PATH });
    switch (found.kind) {
      case "found":
        return { binary: found.binary, version: "unknown" };
      case "not-found":
        throw UserError.of(runtimeAdvice.notFound(this.name, program, "put it where it is named"));
      case "not-executable":
        throw UserError.of(runtimeAdvice.notExecutable(this.name, found.path));
      case "bad-interpreter":
        throw UserError.of(runtimeAdvice.badInterpreter(this.name, found.path, found.interpreter));
    }
  }

  command(spec: LaunchSpec, { binary }: RuntimeProbe): AgentCommand {
    const { parent, command = [] } = this.#settings;
    const { home, agentFolder } = spec;
    return {
      argv: [binary, ...command.slice(1)],
      env: agentEnvironment({ parent, home, agentFolder, additions: commandVariables(spec) }),
      readable: [binary, ...command.slice(1)].filter((word) => word.startsWith("/")),
    };
  }

  parser(): StreamParser {
    return new CommandStream();
  }
}
