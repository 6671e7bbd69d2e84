import { type AccountMarks, accountAt } from "../../govern/account-pin.js";
import type { GuardMode } from "../../govern/guard-mode.js";
import { preflight } from "../../govern/preflight.js";
import { type QuotaLadder, type QuotaUsage, quotaLevel } from "../../govern/quota-level.js";
import { scaledWidth } from "../../govern/scaled-width.js";
import type { AccountMark } from "../../govern/verify-identity.js";
import { poolOfAgent } from "../../runtimes/pool-of-agent.js";
import type { DispatchRefusal } from "../../schedule/dispatch-refusal.js";
import type { Slot } from "../ledger/slot.js";
import { attemptEstimate } from "./estimate-cost.js";
import type { DispatchPlan } from "./plan-dispatch.js";

/** How the accounts stand that agents work on. */
export interface QuotaFacts {
  readonly guard: GuardMode;
  readonly ladder: QuotaLadder;
  /** By pool. One that is not among them has not been calibrated, and keeps nothing back. */
  readonly accounts: ReadonlyMap<string, QuotaUsage>;
}

interface PaidAgent {
  readonly runtime: string;
  /** Absent where nothing is pinned. */
  readonly account?: AccountMark | null | undefined;
  readonly estimateUsd: number;
}

export interface QuotaQuestion {
  readonly agent: PaidAgent;
  /** Its bead was begun before: work under way is brought to its end for as long as anything is started. */
  readonly again: boolean;
  /** How many may be at work, and those that are. */
  readonly width: number;
  readonly atWork: readonly PaidAgent[];
}

/** Why an agent is not started on its account now; null where the quota keeps it from nothing. First match wins. */
export function quotaRefusal(
  { agent, again, width, atWork }: QuotaQuestion,
  quota: QuotaFacts | undefined,
): DispatchRefusal | null {
  const { estimateUsd } = agent;
  const pool = poolOf(agent);
  // What is paid by use fills no window; the run's budget bounds it.
  if (agent.account?.billing !== undefined) return null;
  const usage = quota?.guard === "on" ? quota.accounts.get(pool) : undefined;
  if (quota === undefined || usage === undefined) return null;
  const { level, window, fraction } = quotaLevel(usage, quota.ladder);
  if (window === null || fraction === null) return null;
  if (level === "stop" || (level === "drain" && !again))
    return usage[window].spentUsd === null
      ? { code: "quota_unmeasured", pool, window }
      : { code: "quota_reached", pool, window, fraction, level };
  const beside = atWork.filter((other) => poolOf(other) === pool);
  // One may always be at work, or what was begun would never come to its end.
  const most = Math.max(1, scaledWidth(fraction, width, quota.ladder));
  if (beside.length >= most) return { code: "quota_narrowed", pool, window, fraction, width: most };
  // What is at work has spent some of its estimate already: it is counted with all of it rather than with none.
  const estimate = beside.reduce((sum, other) => sum + other.estimateUsd, estimateUsd);
  const answer = preflight(usage, estimate, quota.ladder);
  if (answer.kind === "passes") return null;
  if (answer.why.code === "quota_unmeasured") return { code: "quota_unmeasured", pool, window: "fiveHour" };
  const { spentUsd, ceilingUsd } = answer.why;
  return { code: "quota_exceeded", pool, estimateUsd: estimate, spentUsd, ceilingUsd };
}

function poolOf({ runtime, account }: PaidAgent): string {
  return poolOfAgent({ runtime, profile: account?.fingerprint ?? null });
}

/** What the agent of a slot takes of its account. */
export function paidAgent(slot: Slot): PaidAgent {
  return { runtime: slot.runtime, account: slot.account, estimateUsd: attemptEstimate(slot) };
}

/** The plan as far as the accounts go, beside the agents that are at work. */
export function fitQuota<P extends DispatchPlan>(
  plan: P,
  quota: QuotaFacts | undefined,
  {
    atWork = [],
    accounts = {},
  }: { readonly atWork?: readonly PaidAgent[]; readonly accounts?: AccountMarks | undefined } = {},
): P {
  const dispatch: P["dispatch"][number][] = [];
  const paid: PaidAgent[] = [...atWork];
  const deferred: P["deferred"][number][] = [];
  for (const item of plan.dispatch) {
    const agent = { ...item, account: accountAt(accounts, item.runtime) };
    const refusal = quotaRefusal({ agent, again: false, width: plan.width, atWork: paid }, quota);
    if (refusal === null) {
      dispatch.push(item);
      paid.push(agent);
    } else deferred.push({ bead: item.bead, refusal });
  }
  return deferred.length === 0 ? plan : { ...plan, dispatch, deferred: [...deferred, ...plan.deferred] };
}

/** Whether it is the quota that keeps a bead back. */
export function isOverQuota({ code }: DispatchRefusal): boolean {
  return code.startsWith("quota_");
}
