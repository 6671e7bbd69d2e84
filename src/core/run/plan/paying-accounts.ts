import { type AccountMarks, accountAt } from "../../govern/account-pin.js";
import { chooseBilling } from "../../govern/billing/choose-billing.js";
import { quotaLevel } from "../../govern/quota-level.js";
import { poolOfAgent } from "../../runtimes/pool-of-agent.js";
import type { QuotaFacts } from "./quota-refusal.js";

/** A key that a run may spend on, and the variable that holds it. */
export interface SpendingKey {
  readonly variable: string;
  readonly fingerprint: string;
}
/** By runtime. */
export type SpendingKeys = Readonly<Record<string, SpendingKey>>;

interface PayingFacts {
  readonly quota?: QuotaFacts | undefined;
  /** What the project pins, as it was found. */
  readonly accounts?: AccountMarks | undefined;
  readonly options: {
    readonly budgetUsd?: number | undefined;
    /** The keys that were found; absent where nobody allowed anything to be spent on one. */
    readonly spendingKeys?: SpendingKeys | undefined;
  };
}

/** Whose account agents that are started now work on: what is pinned, and where a plan is used up its key. */
export function payingAccounts({ quota, accounts, options }: PayingFacts): AccountMarks | undefined {
  const keys = Object.entries(options.spendingKeys ?? {});
  if (keys.length === 0 || quota?.guard !== "on") return accounts;
  const paying: Record<string, AccountMarks[string]> = { ...accounts };
  for (const [runtime, { variable, fingerprint }] of keys) {
    const pin = accountAt(accounts ?? {}, runtime);
    const usage = quota.accounts.get(poolOfAgent({ runtime, profile: pin?.fingerprint ?? null }));
    if (usage === undefined) continue;
    const { level, window } = quotaLevel(usage, quota.ladder);
    const billing = chooseBilling({
      level,
      measured: window !== null && usage[window].spentUsd !== null,
      allowed: true,
      variable,
      budgeted: options.budgetUsd !== undefined,
      key: { mode: "api-key", fingerprint },
      pin,
    });
    if (billing.kind === "api-key") paying[runtime] = billing.account;
  }
  return paying;
}
