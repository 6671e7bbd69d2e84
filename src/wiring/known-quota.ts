import { existsSync } from "node:fs";
import type { KoryphHome } from "../adapters/home/koryph-home.js";
import type { ProjectConfig } from "../core/config/project-schema.js";
import { quotaFacts } from "../core/run/plan/quota-facts.js";
import type { QuotaFacts } from "../core/run/plan/quota-refusal.js";
import { UserError } from "../lib/user-error.js";

/** How the accounts stand for a project just now; undefined where nobody has calibrated one, and nothing is loaded. */
export async function knownQuota(
  home: KoryphHome,
  { quota }: Pick<ProjectConfig, "quota">,
  { billingGuard }: { readonly billingGuard?: boolean } = {},
): Promise<QuotaFacts | undefined> {
  if (!existsSync(home.quotaFile)) return undefined;
  const { MachineQuotas } = await import("../adapters/usage/machine-quotas.js");
  const look = await new MachineQuotas({ home, env: process.env, now: Date.now }).look();
  return quotaFacts(look, quota, { billingGuard, now: Date.now() });
}

/** The same for who only looks: a record that cannot be read is named, and keeps nothing else from being shown. */
export function quotaToShow(
  { home, config }: { readonly home: KoryphHome; readonly config: Pick<ProjectConfig, "quota"> },
  warn: (line: string) => void,
): Promise<QuotaFacts | undefined> {
  return knownQuota(home, config).catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error;
    warn(`koryph: ${error.message}`);
    return undefined;
  });
}
