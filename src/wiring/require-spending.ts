import { accountDigest } from "../adapters/accounts/account-digest.js";
import { openRuntime, type RuntimeHome } from "../adapters/runtimes/open-runtime.js";
import type { ProjectConfig } from "../core/config/project-schema.js";
import { type PinnedAccounts, pinnedMark, pinOf } from "../core/govern/account-pin.js";
import { chooseBilling } from "../core/govern/billing/choose-billing.js";
import { secretKinds } from "../core/redact.js";
import { spendAdvice } from "../core/replies/runtimes/spend-words.js";
import type { SpendingKeys } from "../core/run/plan/paying-accounts.js";
import type { RunOptions } from "../core/run/tick/tick-facts.js";
import { builtInRuntime } from "../core/runtimes/runtimes.js";
import { UserError } from "../lib/user-error.js";
import type { AgentRuntime } from "../ports/agent-runtime.js";

interface SpendingHome {
  readonly config: Pick<ProjectConfig, "api_spend" | "default_runtime">;
  readonly accounts: PinnedAccounts;
}

/**
 * The keys that a run may spend on; undefined where it may not. Throws a `UserError` for everything that would keep it
 * from spending once a plan is used up, so that nobody finds out in the middle of the night.
 */
export function requireSpending(
  { config, accounts }: SpendingHome,
  { allowApiSpend, budgetUsd }: Pick<RunOptions, "allowApiSpend" | "budgetUsd">,
  env: NodeJS.ProcessEnv = process.env,
): SpendingKeys | undefined {
  if (allowApiSpend !== true) return undefined;
  const named = Object.entries(config.api_spend).map(([runtime, { key }]) => ({ runtime, variable: key }));
  const asked = named.length > 0 ? named : [{ runtime: config.default_runtime, variable: null }];
  const found: Record<string, SpendingKeys[string]> = {};
  for (const spender of asked) {
    const { runtime, variable } = spender;
    const key = variable === null ? "" : (env[variable] ?? "").trim();
    const pin = pinOf(accounts, runtime);
    const billing = chooseBilling({
      ...{ level: "stop", measured: true, allowed: true, variable, budgeted: budgetUsd !== undefined },
      key: key === "" ? null : { mode: "api-key", fingerprint: accountDigest(key) },
      pin: pin && pinnedMark(pin, accountDigest),
    });
    if (billing.kind === "refuse") throw UserError.of(spendAdvice.refused(billing.code, spender));
    if (billing.kind !== "api-key" || variable === null) continue;
    if (!isApiKey(key, runtime)) throw UserError.of(spendAdvice.notAKey(spender));
    found[runtime] = { variable, fingerprint: billing.account.fingerprint };
  }
  return found;
}

/**
 * Only what redaction knows by its shape, or an agent that prints it would put it on record; and only a key, so that no
 * project file sends another secret of the operator's, or another provider's key, to a provider. A subscription's token
 * is none.
 */
function isApiKey(text: string, runtime: string): boolean {
  const form = builtInRuntime(runtime)?.account.keyForm;
  return secretKinds(text).join() === "API key" && /^[A-Za-z0-9_-]+$/.test(text) && form?.test(text) === true;
}

/** The runtime whose agents get that key and nothing else. Throws a `UserError` where the run may not spend on it. */
export function openSpending(
  name: string,
  project: RuntimeHome & SpendingHome,
  keys: SpendingKeys | undefined,
  env: NodeJS.ProcessEnv = process.env,
): AgentRuntime {
  const key = keys !== undefined && Object.hasOwn(keys, name) ? keys[name] : undefined;
  const variable = builtInRuntime(name)?.account.keyVariable;
  if (key === undefined || variable === undefined)
    throw UserError.of(
      spendAdvice.refused("spend_key_missing", { runtime: name, variable: key?.variable ?? null }),
    );
  const expect = { mode: "api-key", fingerprint: key.fingerprint } as const;
  const pins = { [name]: { profile: null, variable, expect } };
  const parent = { ...env, [variable]: (env[key.variable] ?? "").trim() };
  return openRuntime(name, { ...project, accounts: { project: project.accounts.project, pins } }, parent);
}
