import { requireAccount } from "../adapters/accounts/require-account.js";
import type { ProjectConfig } from "../core/config/project-schema.js";
import { type AccountMarks, type PinnedAccounts, pinsAnything } from "../core/govern/account-pin.js";
import { builtInRuntime } from "../core/runtimes/runtimes.js";

interface AccountHome {
  readonly config: Pick<ProjectConfig, "default_runtime">;
  readonly accounts: PinnedAccounts;
}

/**
 * Looks at every account that a project pins, and has its default runtime be one of them. Empty where nothing is pinned.
 * Throws `AccountRefused`. Programs of a project's own get no credentials, so there is nothing to be looked at.
 */
export async function verifyAccounts(
  { config, accounts }: AccountHome,
  parent: NodeJS.ProcessEnv = process.env,
): Promise<AccountMarks> {
  if (!pinsAnything(accounts)) return {};
  const marks: Record<string, AccountMarks[string]> = {};
  for (const name of new Set([config.default_runtime, ...Object.keys(accounts.pins)])) {
    const runtime = builtInRuntime(name);
    if (runtime !== null) marks[name] = await requireAccount(runtime, accounts, parent);
  }
  return marks;
}
