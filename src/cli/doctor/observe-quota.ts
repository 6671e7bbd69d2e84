import { poolOfPin } from "../../adapters/usage/pinned-folders.js";
import { recordKindOf } from "../../adapters/usage/record-kinds.js";
import type { Diagnosis } from "../../core/doctor/diagnosis.js";
import { pinOf } from "../../core/govern/account-pin.js";
import { quotaReports } from "../../core/run/plan/quota-facts.js";
import { UserError } from "../../lib/user-error.js";
import { knownQuota } from "../../wiring/known-quota.js";
import type { WiredProject } from "../../wiring/wire-project.js";

/** Whether the limits of the account that agents work on are known here; nothing where it has none that koryph knows. */
export async function observeQuota({ home, config, accounts }: WiredProject): Promise<readonly Diagnosis[]> {
  const pool = poolOfPin(config.default_runtime, pinOf(accounts, config.default_runtime));
  const facts = await knownQuota(home, config).catch((error: unknown) => {
    if (error instanceof UserError) return error;
    throw error;
  });
  if (facts instanceof UserError) return [{ code: "quota_unreadable", why: facts.message, fix: facts.hint }];
  const report = facts && quotaReports(facts).find((each) => each.pool === pool);
  if (report === undefined) return recordKindOf(pool) === null ? [] : [{ code: "quota_uncalibrated", pool }];
  const { measured, guard, window, fraction, level } = report;
  if (!measured) return [{ code: "quota_unmeasured", pool, window, stops: guard === "on" }];
  return [{ code: "quota_ready", pool, window, fraction, level }];
}
