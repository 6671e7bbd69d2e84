import { runtimeAdvice } from "../../core/replies/runtimes/runtimes.js";
import { agentEnvironment } from "../../core/runtimes/agent-environment.js";
import type { StreamParser } from "../../core/runtimes/agent-outcome.js";
import {
  CODEX_CREDENTIALS,
  codexArguments,
  codexSchemaFile,
  codexVariables,
} from "../../core/runtimes/codex/codex-command.js";
import { CodexStream } from "../../core/runtimes/codex/codex-stream.js";
import type { ModelPrices } from "../../core/runtimes/prices.js";
import { UserError } from "../../lib/user-error.js";
import type { AgentCommand, AgentRuntime, LaunchSpec, RuntimeProbe } from "../../ports/agent-runtime.js";
import type { RuntimeSettings } from "./claude-runtime.js";
import { findBinary } from "./find-binary.js";
import { nativeCodex } from "./native-codex.js";
import { probeVersion } from "./probe-version.js";

/** The oldest version whose flags and stream were tried. */
const OLDEST = "0.166.0";

export interface PricedRuntimeSettings extends RuntimeSettings {
  readonly prices: ModelPrices;
}

/** Codex without its screen. */
export class CodexRuntime implements AgentRuntime {
  readonly name = "codex";
  /** It answers an interrupt within a second and ends its tools; on SIGTERM it leaves them behind. */
  readonly stopSignals = ["SIGINT", "SIGTERM", "SIGKILL"] as const;
  readonly #settings: PricedRuntimeSettings;
  readonly #timeoutSeconds: number;

  constructor(settings: PricedRuntimeSettings, timeoutSeconds = 30) {
    this.#settings = settings;
    this.#timeoutSeconds = timeoutSeconds;
  }

  async probe(): Promise<RuntimeProbe> {
    const { root, parent, command } = this.#settings;
    const program = command?.[0] ?? "codex";
    const found = await findBinary(program, { root, path: parent.PATH });
    if (found === null) {
      throw UserError.of(runtimeAdvice.notFound(this.name, program, runtimeAdvice.install(this.name)));
    }
    const binary = await nativeCodex(found);
    const version = await probeVersion({
      runtime: this.name,
      program: this.#program(binary),
      parent,
      additions: codexVariables(undefined),
      oldest: OLDEST,
      timeoutSeconds: this.#timeoutSeconds,
    });
    // A program of the project's own may bring its credentials with it.
    if (command === undefined && this.#key() === undefined)
      throw UserError.of(runtimeAdvice.noCredentials(this.name, CODEX_CREDENTIALS));
    return { binary, version };
  }

  command(spec: LaunchSpec, { binary }: RuntimeProbe): AgentCommand {
    const { parent } = this.#settings;
    const argv = [...this.#program(binary), ...codexArguments(spec, parent.TZ)];
    const env = agentEnvironment({
      parent,
      passOn: CODEX_CREDENTIALS,
      home: spec.home,
      agentFolder: spec.agentFolder,
      additions: codexVariables(this.#key()),
    });
    if (spec.outputSchema === undefined) return { argv, env };
    return { argv, env, files: { [codexSchemaFile(spec.home)]: JSON.stringify(spec.outputSchema) } };
  }

  parser({ model, costBaselineUsd, outputSchema }: LaunchSpec): StreamParser {
    const structured = outputSchema !== undefined;
    return new CodexStream({ model, prices: this.#settings.prices, costBaselineUsd, structured });
  }

  #program(binary: string): [string, ...string[]] {
    return [binary, ...(this.#settings.command ?? []).slice(1)];
  }

  #key(): string | undefined {
    const { parent } = this.#settings;
    return CODEX_CREDENTIALS.map((name) => parent[name]).find((value) => value);
  }
}
