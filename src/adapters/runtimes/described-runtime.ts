import { type PinnedAccounts, pinOf, pinsAnything } from "../../core/govern/account-pin.js";
import type { AccountMark } from "../../core/govern/verify-identity.js";
import { accountAdvice } from "../../core/replies/runtimes/account-words.js";
import { runtimeAdvice } from "../../core/replies/runtimes/runtimes.js";
import { type AgentCommand, agentCommand, credentialsFor } from "../../core/runtimes/agent-command.js";
import type { Variables } from "../../core/runtimes/agent-environment.js";
import type { StreamParser } from "../../core/runtimes/agent-outcome.js";
import type { LaunchSpec } from "../../core/runtimes/launch-spec.js";
import type { ModelPrices } from "../../core/runtimes/prices.js";
import type { RuntimeDescriptor } from "../../core/runtimes/runtime-descriptor.js";
import { type Advice, UserError } from "../../lib/user-error.js";
import type { AgentRuntime, RuntimeProbe } from "../../ports/agent-runtime.js";
import { refusedAccount, requireAccount } from "../accounts/require-account.js";
import { packagePath } from "../project/package-path.js";
import { findBinary } from "./find-binary.js";
import { probeVersion } from "./probe-version.js";
import { programBehind } from "./program-behind.js";

/** Started for every tool call, so it is a file of its own that reads nothing else. */
function guardProgram(): readonly string[] {
  return [process.execPath, packagePath("dist/guard/main.js")];
}

export interface RuntimeSettings {
  /** Where a program named by a path is looked for. */
  readonly root: string;
  /** The engine's own environment. */
  readonly parent: Variables;
  /** Program and first arguments, where the project names its own. */
  readonly command?: readonly string[] | undefined;
  readonly prices: ModelPrices;
  /** Absent, or without any pin, where agents get whatever credentials there are. */
  readonly accounts?: PinnedAccounts | undefined;
}

/** A built-in runtime on this machine. What is special about each is in its descriptor. */
export class DescribedRuntime implements AgentRuntime {
  readonly name: string;
  readonly stopSignals: AgentRuntime["stopSignals"];
  readonly #runtime: RuntimeDescriptor;
  readonly #settings: RuntimeSettings;
  /** Null where nothing is pinned. */
  readonly #accounts: PinnedAccounts | null;

  constructor(runtime: RuntimeDescriptor, settings: RuntimeSettings) {
    this.name = runtime.name;
    this.stopSignals = runtime.stopSignals;
    this.#runtime = runtime;
    this.#settings = settings;
    this.#accounts = settings.accounts && pinsAnything(settings.accounts) ? settings.accounts : null;
  }

  async probe(): Promise<RuntimeProbe> {
    const { root, parent, command } = this.#settings;
    const runtime = this.#runtime;
    const program = command?.[0] ?? runtime.program;
    const found = await findBinary(program, { root, path: parent.PATH });
    if (found === null) {
      throw UserError.of(runtimeAdvice.notFound(this.name, program, runtimeAdvice.install(runtime)));
    }
    const binary = await programBehind(runtime, found);
    const version = await probeVersion(runtime, this.#program(binary), parent);
    if (this.#accounts === null)
      this.#requireOneOf(runtime.credentials.anyOf, () => runtimeAdvice.noCredentials(runtime));
    else if (pinOf(this.#accounts, this.name) === null)
      throw refusedAccount({ code: "identity_not_expected" }, runtime, this.#accounts);
    return { binary, version };
  }

  async account(): Promise<AccountMark | null> {
    const { parent } = this.#settings;
    return this.#accounts === null ? null : requireAccount(this.#runtime, this.#accounts, parent);
  }

  command(spec: LaunchSpec, { binary }: RuntimeProbe): AgentCommand {
    const runtime = this.#runtime;
    const { parent } = this.#settings;
    const pin = this.#accounts === null ? null : pinOf(this.#accounts, this.name);
    if (runtime.credentials.forModel) {
      const keys = credentialsFor(runtime, spec.model);
      if (pin === null)
        this.#requireOneOf(keys, () => runtimeAdvice.noProviderKey(this.name, spec.model, keys));
      else if (!keys.includes(pin.variable ?? ""))
        throw UserError.of(accountAdvice.otherModel(this.name, spec.model, pin));
    }
    const facts = { program: this.#program(binary), parent, pin, guard: guardProgram() };
    const agent = agentCommand(runtime, spec, facts);
    // Node reads there what kind of modules the guard's are.
    return { ...agent, readable: [...(agent.readable ?? []), packagePath("package.json")] };
  }

  parser(spec: LaunchSpec, { version }: RuntimeProbe): StreamParser {
    return this.#runtime.parser(spec, { version, prices: this.#settings.prices });
  }

  #program(binary: string): [string, ...string[]] {
    return [binary, ...(this.#settings.command ?? []).slice(1)];
  }

  /** A program of the project's own may bring its credentials with it. */
  #requireOneOf(names: readonly string[], advice: () => Advice): void {
    const { parent, command } = this.#settings;
    if (command === undefined && !names.some((name) => parent[name])) throw UserError.of(advice());
  }
}
