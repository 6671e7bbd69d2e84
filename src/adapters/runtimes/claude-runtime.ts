import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineSatisfies } from "../../core/config/engine-version.js";
import { runtimeAdvice } from "../../core/replies/runtimes/runtimes.js";
import { agentEnvironment, type Variables } from "../../core/runtimes/agent-environment.js";
import type { StreamParser } from "../../core/runtimes/agent-outcome.js";
import {
  CLAUDE_CREDENTIALS,
  CLAUDE_PASSED_ON,
  claudeArguments,
  claudeVariables,
} from "../../core/runtimes/claude/claude-command.js";
import { claudeVersion } from "../../core/runtimes/claude/claude-cost.js";
import { ClaudeStream } from "../../core/runtimes/claude/claude-stream.js";
import { UserError } from "../../lib/user-error.js";
import type { AgentRuntime, LaunchSpec, RuntimeProbe } from "../../ports/agent-runtime.js";
import { askVersion, findBinary } from "./find-binary.js";

/** The oldest version whose flags and stream were tried. */
const OLDEST = "2.1.197";
const INSTALL = "install it (npm install --global @anthropic-ai/claude-code)";

export interface RuntimeSettings {
  /** Where a program named by a path is looked for. */
  readonly root: string;
  /** The engine's own environment. */
  readonly parent: Variables;
  /** Program and first arguments, where the project names its own. */
  readonly command?: readonly string[] | undefined;
}

/** Claude Code in print mode. */
export class ClaudeRuntime implements AgentRuntime {
  readonly name = "claude";
  /** It answers an interrupt within a second, ends its tools, and still reports its cost. */
  readonly stopSignals = ["SIGINT", "SIGTERM", "SIGKILL"] as const;
  readonly #settings: RuntimeSettings;
  readonly #timeoutSeconds: number;

  constructor(settings: RuntimeSettings, timeoutSeconds = 30) {
    this.#settings = settings;
    this.#timeoutSeconds = timeoutSeconds;
  }

  async probe(): Promise<RuntimeProbe> {
    const { root, parent, command } = this.#settings;
    const program = command?.[0] ?? "claude";
    const binary = await findBinary(program, { root, path: parent.PATH });
    if (binary === null) throw UserError.of(runtimeAdvice.notFound(this.name, program, INSTALL));
    const version = await this.#version(binary);
    if (!engineSatisfies(version, OLDEST))
      throw UserError.of(runtimeAdvice.tooOld(this.name, version, OLDEST));
    // A program of the project's own may bring its credentials with it.
    if (command === undefined && !CLAUDE_CREDENTIALS.some((name) => parent[name]))
      throw UserError.of(runtimeAdvice.noCredentials(this.name, CLAUDE_CREDENTIALS));
    return { binary, version };
  }

  command(spec: LaunchSpec, { binary }: RuntimeProbe): { argv: string[]; env: Record<string, string> } {
    return {
      argv: [...this.#prefix(binary), ...claudeArguments(spec)],
      env: agentEnvironment({
        parent: this.#settings.parent,
        passOn: CLAUDE_PASSED_ON,
        home: spec.home,
        agentFolder: spec.agentFolder,
        additions: claudeVariables(spec.home),
      }),
    };
  }

  parser({ costBaselineUsd }: LaunchSpec, { version }: RuntimeProbe): StreamParser {
    return new ClaudeStream({ version, costBaselineUsd });
  }

  #prefix(binary: string): [string, ...string[]] {
    return [binary, ...(this.#settings.command ?? []).slice(1)];
  }

  /** Asked with an agent's environment: a start script that needs the operator's home shows itself here. */
  async #version(binary: string): Promise<string> {
    const home = await mkdtemp(join(tmpdir(), "koryph-probe-"));
    try {
      const env = agentEnvironment({
        parent: this.#settings.parent,
        home,
        agentFolder: home,
        additions: claudeVariables(home),
      });
      const answer = await askVersion(this.#prefix(binary), {
        env: { ...env, TMPDIR: home },
        timeoutSeconds: this.#timeoutSeconds,
      });
      const problem = answer.kind === "failed" ? answer.problem : `it printed ${JSON.stringify(answer.text)}`;
      const version = answer.kind === "said" ? claudeVersion(answer.text) : null;
      if (version === null) throw UserError.of(runtimeAdvice.noVersion(this.name, binary, problem));
      return version;
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  }
}
