import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";
import { table } from "../../../lib/table.js";
import { type ControlRequest, isUnderWay, type LedgerState } from "../../run/ledger/ledger-state.js";
import type { Slot } from "../../run/ledger/slot.js";
import { type EngineObservation, engineLine } from "./engine-observation.js";
import { reasonText } from "./progress.js";
import { degradedText } from "./slot-reason.js";

/** What one screen, or one comment, can hold; the rest is in the JSON. */
const MOST_ROWS = 500;

/** Cells come from a ledger that others can write: one that is as wide as a book makes every row so. */
const WIDEST = 60;
const LONGEST = 300;

/** The run, its engine and its slots as a person reads them. */
export function statusText(state: LedgerState, project: string, engine: EngineObservation | null): string[] {
  const lines = [runLine(state, project, engine)];
  if (engine) lines.push(engineLine(engine));
  if (state.resize && isUnderWay(state)) lines.push(`width ${state.resize.max} by request`);
  for (const { request, actor, at } of state.requests)
    lines.push(`waiting: ${requestText(request)} by ${plainText(actor)} at ${plainText(at)}`);
  for (const [bead, { actor, at, reason }] of Object.entries(state.holds))
    lines.push(
      cutText(
        `held: ${plainText(bead)} by ${plainText(actor)} at ${plainText(at)}${reason === "" ? "" : `: ${plainText(reason)}`}`,
        LONGEST,
      ),
    );
  if (state.readOnly) lines.push(`read-only: ${state.readOnly.type} needs ${state.readOnly.needs}`);
  const slots = Object.values(state.slots).sort((a, b) => (a.bead < b.bead ? -1 : 1));
  if (slots.length === 0) return [...lines, "no bead has been taken yet"];
  const rest = slots.length - MOST_ROWS;
  return [
    ...lines,
    "",
    ...table(slots.slice(0, MOST_ROWS).map(slotRow)),
    ...(rest > 0 ? [`  … and ${rest} more`] : []),
  ];
}

function runLine({ run }: LedgerState, project: string, engine: EngineObservation | null): string {
  if (run === null) return `${project}: no run yet`;
  if (run.ended === null && engine?.state === "gone")
    return `${project}: run ${run.id} was cut short; it began at ${plainText(run.startedAt)}`;
  if (run.ended === null) return `${project}: run ${run.id} under way since ${run.startedAt}`;
  return `${project}: run ${run.id} ended at ${run.ended.at}${run.ended.reason ? ` (${plainText(run.ended.reason)})` : ""}`;
}

function requestText(request: ControlRequest["request"]): string {
  switch (request.verb) {
    case "drain":
      return "drain";
    case "nudge":
    case "inject":
      return `${request.verb} of ${plainText(request.bead)}`;
    case "stop":
      return `${request.force ? "forced " : ""}stop of ${request.bead === null ? "all agents" : plainText(request.bead)}`;
  }
}

function slotRow(slot: Slot): string[] {
  // What the first agent spends is known at its end; one without a bill spends nothing that anybody knows of.
  const told = slot.costUsd > 0 || (slot.costKnown && slot.outcome !== null);
  const cost = told ? `${slot.costKnown ? "" : "~"}$${slot.costUsd.toFixed(2)}` : "";
  const commits = slot.commits > 0 ? `${slot.commits} ${slot.commits === 1 ? "commit" : "commits"}` : "";
  return [
    `  ${cutText(slot.bead, WIDEST)}`,
    slot.stopping && slot.status === "running" ? "stopping" : slot.status,
    `attempt ${slot.attempt}`,
    cutText(plainText(slot.model), WIDEST),
    commits,
    cost,
    cutText(
      plainText([slot.title, reasonText(slot.note), degraded(slot)].filter(Boolean).join(": ")),
      LONGEST,
    ),
  ];
}

/** Not clean is never shown as clean, also after it has landed. */
function degraded({ review, note }: Slot): string {
  if (review?.verdict !== "degraded" || note.includes("degraded")) return "";
  return degradedText(review.note);
}

export function statusJson(state: LedgerState, project: string, engine: EngineObservation | null) {
  return {
    project_id: project,
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
      review: slot.review && { verdict: slot.review.verdict, note: slot.review.note, head: slot.review.head },
    })),
  };
}
