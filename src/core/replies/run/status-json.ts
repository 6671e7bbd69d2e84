import type { EngineObservation } from "../../control/judge-engine.js";
import type { PinnedAccounts } from "../../govern/account-pin.js";
import type { LedgerState } from "../../run/ledger/ledger-state.js";
import { runModelCosts } from "../../run/metrics/run-limits.js";
import { quotaReports } from "../../run/plan/quota-facts.js";
import { denialText } from "../govern/denial-text.js";
import { poolJson } from "../govern/governor-text.js";
import { quotaReportJson } from "../quota/quota-news.js";
import { rankingJson } from "../report/cost-ranking.js";
import { pauseJson } from "./pauses.js";
import type { StatusView } from "./status.js";

/** A promise to programs, as docs/json.md describes it. */
export function statusJson(
  state: LedgerState,
  accounts: PinnedAccounts,
  engine: EngineObservation | null,
  { waits = [], quota, pools = [] }: Pick<StatusView, "waits" | "quota" | "pools"> = {},
) {
  return {
    project_id: accounts.project,
    pinned_accounts: Object.keys(accounts.pins).sort(),
    run: state.run && {
      id: state.run.id,
      started_at: state.run.startedAt,
      mode: state.run.mode,
      budget_usd: state.run.budgetUsd,
      ended: state.run.ended,
    },
    engine: engine && { pid: engine.pid, host: engine.host, state: engine.state },
    lease: state.lease && { holder: state.lease.holder, host: state.lease.host },
    resize: state.resize,
    holds: Object.entries(state.holds).map(([bead, { at, actor, reason, evidence }]) => ({
      bead,
      at,
      actor,
      reason,
      url: evidence?.url ?? null,
    })),
    quota: quota === undefined ? [] : quotaReports(quota).map(quotaReportJson),
    adaptive_pools: pools.map(poolJson),
    models: rankingJson(runModelCosts(state)),
    paused: state.pauses.map(pauseJson),
    not_admitted: waits.map(({ bead, why }) => ({ bead, code: why.code, reason: denialText(why) })),
    requests: state.requests.map(({ id, at, actor, request }) => ({ id, at, actor, ...request })),
    slots: Object.values(state.slots).map((slot) => ({
      bead: slot.bead,
      title: slot.title,
      status: slot.status,
      attempt: slot.attempt,
      tries: slot.tries,
      task: slot.task,
      model: slot.model,
      model_why: slot.modelWhy,
      runtime: slot.runtime,
      account: slot.account ?? null,
      contained: slot.contained ?? null,
      flags: slot.flags ?? [],
      footprint: slot.footprint,
      commits: slot.commits,
      head: slot.head,
      cost_usd: slot.costUsd,
      cost_known: slot.costKnown,
      not_before: slot.status === "queued" ? slot.notBefore : null,
      note: slot.note,
      note_code: slot.noteCode,
      at: slot.at,
      pull: slot.pull,
      review: slot.review && { verdict: slot.review.verdict, note: slot.review.note, head: slot.review.head },
    })),
  };
}
