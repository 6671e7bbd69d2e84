import { locateHome } from "../adapters/home/koryph-home.js";
import { pinnedAccounts } from "../adapters/home/pinned-accounts.js";
import type { ProjectConfig } from "../core/config/project-schema.js";
import type { AccountMarks } from "../core/govern/account-pin.js";
import { admitPlan } from "../core/run/plan/admit-plan.js";
import { payingAccounts } from "../core/run/plan/paying-accounts.js";
import type { DispatchPlan } from "../core/run/plan/plan-dispatch.js";
import { fitQuota, type QuotaFacts } from "../core/run/plan/quota-refusal.js";
import { knownQuota } from "./known-quota.js";
import { lookAtMachine } from "./look-at-machine.js";
import { requireSpending } from "./require-spending.js";
import type { RunFlags } from "./run-flags.js";
import { verifyAccounts } from "./verify-accounts.js";

export interface FittedPlan<P extends DispatchPlan> {
  readonly plan: P;
  /** Absent where nobody has calibrated an account. */
  readonly quota: QuotaFacts | undefined;
  readonly accounts: AccountMarks | undefined;
}

/** The plan of a dry run, as far as this machine and its accounts bear it now. Nothing is taken. */
export async function fitMachine<P extends DispatchPlan>(
  plan: P,
  config: ProjectConfig,
  { budget, allowApiSpend, billingGuard }: Pick<RunFlags, "budget" | "allowApiSpend" | "billingGuard"> = {},
): Promise<FittedPlan<P>> {
  const home = locateHome();
  const project = { config, accounts: await pinnedAccounts(home, config.project_id) };
  const spendingKeys = requireSpending(project, { allowApiSpend, budgetUsd: budget });
  const quota = await knownQuota(home, config, billingGuard === undefined ? {} : { billingGuard });
  // Whoever is refused is told of it when a run is started.
  const pinned = await verifyAccounts(project).catch(() => ({}));
  const accounts = payingAccounts({
    ...{ quota, accounts: pinned },
    options: { budgetUsd: budget, spendingKeys },
  });
  const fitted = fitQuota(plan, quota, { accounts });
  return { plan: admitPlan(fitted, await lookAtMachine(), config, accounts), quota, accounts };
}
