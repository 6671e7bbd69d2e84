import { existsSync } from "node:fs";
import type { KoryphHome } from "../../adapters/home/koryph-home.js";
import type { ProjectConfig } from "../../core/config/project-schema.js";
import { quotaFacts } from "../../core/run/plan/quota-facts.js";
import type { QuotaFacts } from "../../core/run/plan/quota-refusal.js";

/** How the accounts stand for a project just now; undefined where nobody has calibrated one, and nothing is loaded. */
export async function knownQuota(
  home: KoryphHome,
  { quota }: Pick<ProjectConfig, "quota">,
  { billingGuard }: { readonly billingGuard?: boolean } = {},
): Promise<QuotaFacts | undefined> {
  if (!existsSync(home.quotaFile)) return undefined;
  const { MachineQuotas } = await import("../../adapters/usage/machine-quotas.js");
  const look = await new MachineQuotas({ home, env: process.env, now: Date.now }).look();
  return quotaFacts(look, quota, { billingGuard, now: Date.now() });
}
