import { readIfThere } from "../../adapters/process/slot-files.js";
import { openRuntime } from "../../adapters/runtimes/open-runtime.js";
import { type MachineAgents, readMachineAgents } from "../../core/config/machine-agents.js";
import type { ProjectConfig } from "../../core/config/project-schema.js";
import type { PinnedAccounts } from "../../core/govern/account-pin.js";
import { settingsAdvice } from "../../core/replies/app/serve.js";
import { UserError } from "../../lib/user-error.js";
import type { AgentRuntime } from "../../ports/agent-runtime.js";
import type { Settings } from "../serve/read-settings.js";

/** Agents that this server itself may start, for the repositories that its operator has named. */
export class LocalAgents {
  readonly #repositories: ReadonlySet<string>;
  readonly #agents: MachineAgents;
  readonly #root: string;

  private constructor(repositories: readonly string[], agents: MachineAgents, root: string) {
    this.#repositories = new Set(repositories);
    this.#agents = agents;
    this.#root = root;
  }

  /** Throws a `UserError` for a file that cannot be used. */
  static async open({ localAgents, home }: Pick<Settings, "localAgents" | "home">): Promise<LocalAgents> {
    const text = localAgents.length === 0 ? null : await readIfThere(home.agentsFile);
    const reading = readMachineAgents(text);
    if (reading.kind === "wrong") throw UserError.of(settingsAdvice.agents(home.agentsFile, reading.problem));
    return new LocalAgents(localAgents, reading.agents, home.path);
  }

  /** `repository` is `owner/name`. */
  mayServe(repository: string): boolean {
    return this.#repositories.has(repository.toLowerCase());
  }

  /**
   * What a repository says about programs counts for nothing here; it may choose among those the machine has. Its agents
   * work on the accounts that are pinned here, and whoever starts one looks at them first.
   */
  runtime(
    { default_runtime }: Pick<ProjectConfig, "default_runtime">,
    accounts: PinnedAccounts,
  ): AgentRuntime {
    const { default_runtime: chosen, runtimes } = this.#agents;
    return openRuntime(chosen ?? default_runtime, { root: this.#root, config: { runtimes }, accounts });
  }
}
