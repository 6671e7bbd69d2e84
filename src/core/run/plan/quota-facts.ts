import type { AccountMarks } from "../../govern/account-pin.js";
import { type GuardMode, type GuardSetting, guardMode } from "../../govern/guard-mode.js";
import {
  type QuotaLadder,
  type QuotaLevel,
  type QuotaUsage,
  type QuotaWindow,
  quotaLevel,
} from "../../govern/quota-level.js";
import { poolOfAgent, usualPool } from "../../runtimes/pool-of-agent.js";
import type { QuotaFacts } from "./quota-refusal.js";

interface QuotaKnowledge {
  /** What the machine says, and its accounts. */
  readonly guard: GuardSetting | null;
  readonly accounts: ReadonlyMap<string, QuotaUsage>;
}

interface QuotaSettings extends QuotaLadder {
  readonly guard?: GuardSetting["mode"] | undefined;
}

/** How the accounts stand for a project: by its levels, and with the guard that holds for it now. */
export function quotaFacts(
  { guard: baseline, accounts }: QuotaKnowledge,
  { guard: mode, warn, drain, stop }: QuotaSettings,
  { billingGuard, now }: { readonly billingGuard?: boolean | undefined; readonly now: number },
): QuotaFacts {
  const flag = billingGuard === false ? ({ mode: "off", until: null } as const) : null;
  const project = mode === undefined ? null : { mode, until: null };
  return { guard: guardMode(flag, project, baseline, now).mode, ladder: { warn, drain, stop }, accounts };
}

/** How a calibrated account stands: by the fuller of its windows. */
export interface QuotaReport {
  readonly pool: string;
  readonly level: QuotaLevel;
  readonly window: QuotaWindow;
  readonly fraction: number;
  /** False where nobody can tell, and the window counts as full. */
  readonly measured: boolean;
  readonly guard: GuardMode;
  /** The key that new agents are billed to while the account is used up, by its fingerprint; absent where none is. */
  readonly paidBy?: string | undefined;
}

export function quotaReports(
  { guard, ladder, accounts }: QuotaFacts,
  paying: AccountMarks = {},
): QuotaReport[] {
  return [...accounts].flatMap(([pool, usage]) => {
    const { level, window, fraction } = quotaLevel(usage, ladder);
    if (window === null || fraction === null) return [];
    const report = { pool, level, window, fraction, measured: usage[window].spentUsd !== null, guard };
    const key = Object.entries(paying).find(
      ([runtime, { billing, fingerprint }]) =>
        billing !== undefined &&
        (usualPool(runtime) === pool || poolOfAgent({ runtime, profile: fingerprint }) === pool),
    );
    return [key === undefined ? report : { ...report, paidBy: key[1].fingerprint }];
  });
}
