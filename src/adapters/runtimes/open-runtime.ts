import type { ProjectConfig } from "../../core/config/project-schema.js";
import type { PinnedAccounts } from "../../core/govern/account-pin.js";
import { runtimeAdvice } from "../../core/replies/runtimes/runtimes.js";
import { BUILT_IN_RUNTIMES } from "../../core/route/resolve-runtime.js";
import type { Variables } from "../../core/runtimes/agent-environment.js";
import { builtInRuntime } from "../../core/runtimes/runtimes.js";
import { UserError } from "../../lib/user-error.js";
import type { AgentRuntime } from "../../ports/agent-runtime.js";
import { CommandRuntime } from "./command-runtime.js";
import { DescribedRuntime } from "./described-runtime.js";

export interface RuntimeHome {
  readonly root: string;
  readonly config: Pick<ProjectConfig, "runtimes">;
  readonly accounts?: PinnedAccounts;
}

/**
 * The runtime of this name, as the project sets it up. Any further name becomes a runtime by being given a
 * program. Throws a `UserError` for one that is unknown, switched off or has nothing to run.
 */
export function openRuntime(
  name: string,
  { root, config, accounts }: RuntimeHome,
  parent: Variables = process.env,
): AgentRuntime {
  const own = Object.hasOwn(config.runtimes, name) ? config.runtimes[name] : undefined;
  if (own?.enabled === false) throw UserError.of(runtimeAdvice.disabled(name));
  const settings = { root, parent, command: own?.command, prices: own?.prices ?? {}, accounts };
  const builtIn = builtInRuntime(name);
  if (builtIn !== null) return new DescribedRuntime(builtIn, settings);
  if (own?.command !== undefined) return new CommandRuntime(name, settings);
  throw UserError.of(
    name === "command" ? runtimeAdvice.noCommand(name) : runtimeAdvice.unknown(name, BUILT_IN_RUNTIMES),
  );
}
