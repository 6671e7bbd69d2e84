import { runtimeAdvice } from "../../core/replies/runtimes/runtimes.js";
import { agentEnvironment } from "../../core/runtimes/agent-environment.js";
import type { StreamParser } from "../../core/runtimes/agent-outcome.js";
import {
  OPENCODE_CONFIG,
  OPENCODE_CREDENTIALS,
  opencodeArguments,
  opencodeKeys,
  opencodeVariables,
} from "../../core/runtimes/opencode/opencode-command.js";
import { OpencodeStream } from "../../core/runtimes/opencode/opencode-stream.js";
import { UserError } from "../../lib/user-error.js";
import type { AgentCommand, AgentRuntime, LaunchSpec, RuntimeProbe } from "../../ports/agent-runtime.js";
import type { PricedRuntimeSettings } from "./codex-runtime.js";
import { findBinary } from "./find-binary.js";
import { probeVersion } from "./probe-version.js";

/** The oldest version whose flags and stream were tried. */
const OLDEST = "1.18.33";

/** opencode with one message, whatever model its provider has. */
export class OpencodeRuntime implements AgentRuntime {
  readonly name = "opencode";
  /** An interrupt does no more than SIGTERM does: either ends it at once and leaves its tools to be swept. */
  readonly stopSignals = ["SIGTERM", "SIGKILL"] as const;
  readonly #settings: PricedRuntimeSettings;
  readonly #timeoutSeconds: number;

  constructor(settings: PricedRuntimeSettings, timeoutSeconds = 60) {
    this.#settings = settings;
    this.#timeoutSeconds = timeoutSeconds;
  }

  async probe(): Promise<RuntimeProbe> {
    const { root, parent, command } = this.#settings;
    const program = command?.[0] ?? "opencode";
    const binary = await findBinary(program, { root, path: parent.PATH });
    if (binary === null) {
      throw UserError.of(runtimeAdvice.notFound(this.name, program, runtimeAdvice.install(this.name)));
    }
    const version = await probeVersion({
      runtime: this.name,
      program: this.#program(binary),
      parent,
      additions: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" },
      oldest: OLDEST,
      timeoutSeconds: this.#timeoutSeconds,
    });
    // A program of the project's own may bring its credentials with it.
    if (command === undefined && !OPENCODE_CREDENTIALS.some((name) => parent[name]))
      throw UserError.of(runtimeAdvice.noCredentials(this.name, OPENCODE_CREDENTIALS));
    return { binary, version };
  }

  command(spec: LaunchSpec, { binary }: RuntimeProbe): AgentCommand {
    const { parent, command } = this.#settings;
    const passOn = [...opencodeKeys(spec.model), OPENCODE_CONFIG];
    if (command === undefined && !passOn.some((name) => parent[name]))
      throw UserError.of(runtimeAdvice.noProviderKey(this.name, spec.model, passOn));
    return {
      argv: opencodeArguments(this.#program(binary), spec),
      env: agentEnvironment({
        parent,
        passOn,
        home: spec.home,
        agentFolder: spec.agentFolder,
        additions: opencodeVariables(spec),
      }),
    };
  }

  parser({ model, outputSchema }: LaunchSpec): StreamParser {
    const structured = outputSchema !== undefined;
    return new OpencodeStream({ model, prices: this.#settings.prices, structured });
  }

  #program(binary: string): [string, ...string[]] {
    return [binary, ...(this.#settings.command ?? []).slice(1)];
  }
}
