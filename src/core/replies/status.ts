import { plainText } from "../../lib/plain-text.js";
import { table } from "../../lib/table.js";
import type { LedgerState } from "../run/ledger-state.js";
import type { Slot } from "../run/slot.js";

/** The run and its slots as a person reads them. */
export function statusText(state: LedgerState, project: string): string[] {
  const lines = [runLine(state, project)];
  if (state.lease) lines.push(`lease held by ${plainText(state.lease.holder)}`);
  if (state.resize) lines.push(`width ${state.resize.max} by request`);
  for (const { request, actor, at } of state.requests)
    lines.push(`waiting: ${request.verb} by ${plainText(actor)} at ${at}`);
  if (state.readOnly) lines.push(`read-only: ${state.readOnly.type} needs ${state.readOnly.needs}`);
  const slots = Object.values(state.slots).sort((a, b) => (a.bead < b.bead ? -1 : 1));
  if (slots.length === 0) return [...lines, "no bead has been taken yet"];
  return [...lines, "", ...table(slots.map(slotRow))];
}

function runLine({ run }: LedgerState, project: string): string {
  if (run === null) return `${project}: no run yet`;
  if (run.ended === null) return `${project}: run ${run.id} under way since ${run.startedAt}`;
  return `${project}: run ${run.id} ended at ${run.ended.at}${run.ended.reason ? ` (${plainText(run.ended.reason)})` : ""}`;
}

function slotRow(slot: Slot): string[] {
  const cost = slot.costUsd > 0 ? `${slot.costKnown ? "" : "~"}$${slot.costUsd.toFixed(2)}` : "";
  const commits = slot.commits > 0 ? `${slot.commits} ${slot.commits === 1 ? "commit" : "commits"}` : "";
  return [
    `  ${slot.bead}`,
    slot.stopping && slot.status === "running" ? "stopping" : slot.status,
    `attempt ${slot.attempt}`,
    plainText(slot.model),
    commits,
    cost,
    plainText(slot.note === "" ? slot.title : `${slot.title}: ${slot.note}`),
  ];
}

export function statusJson(state: LedgerState, project: string) {
  return {
    project_id: project,
    run: state.run && {
      id: state.run.id,
      started_at: state.run.startedAt,
      mode: state.run.mode,
      budget_usd: state.run.budgetUsd,
      ended: state.run.ended,
    },
    lease: state.lease && { holder: state.lease.holder, host: state.lease.host },
    resize: state.resize,
    requests: state.requests.map(({ id, at, actor, request }) => ({ id, at, actor, ...request })),
    slots: Object.values(state.slots).map((slot) => ({
      bead: slot.bead,
      title: slot.title,
      status: slot.status,
      attempt: slot.attempt,
      model: slot.model,
      model_why: slot.modelWhy,
      runtime: slot.runtime,
      footprint: slot.footprint,
      commits: slot.commits,
      head: slot.head,
      cost_usd: slot.costUsd,
      cost_known: slot.costKnown,
      not_before: slot.status === "queued" ? slot.notBefore : null,
      note: slot.note,
    })),
  };
}
