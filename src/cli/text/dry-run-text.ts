import type { ProjectConfig } from "../../core/config/project-schema.js";
import { type Taken, takenRows } from "../../core/replies/run/taken-by-runs.js";
import { idleSentence } from "../../core/replies/schedule/idle.js";
import { dispatchRefusalText, estimateText, widthText } from "../../core/replies/schedule/schedule.js";
import type { Dispatch, DispatchPlan } from "../../core/run/plan/plan-dispatch.js";
import { clippedMax } from "../../core/run/tick/decide-dispatch.js";
import type { NotSelected } from "../../core/schedule/build-wave.js";
import type { Footprint } from "../../core/schedule/footprint.js";
import type { Idle } from "../../core/schedule/why-idle.js";
import { cutText } from "../../lib/cut-text.js";
import type { Paint } from "../../lib/paint.js";
import { plainText } from "../../lib/plain-text.js";
import { table } from "../../lib/table.js";

const NARROW = 80;
const WIDEST_TITLE = 40;
const NARROWEST_TITLE = 16;
/** Reasons are seldom longer, and titles do not shrink for those that are. */
const USUAL_REASON = 48;

export interface DryRunView {
  readonly config: ProjectConfig;
  /** What `--max` asked for. */
  readonly max?: number | undefined;
  /** What `--budget` asked for: then each bead's estimate is shown. */
  readonly budgetUsd?: number | undefined;
  /** Beads that runs have or left behind. */
  readonly taken?: readonly Taken[] | undefined;
  readonly paint: Paint;
}

/** What a run would do first, as a person reads it in a terminal. Every ready bead is named once. */
export function dryRunText(
  plan: DispatchPlan & { readonly idle?: Idle },
  { config, max, budgetUsd, taken = [], paint }: DryRunView,
): string[] {
  let left = budgetUsd ?? 0;
  const estimate = (item: Dispatch) => {
    if (budgetUsd === undefined) return undefined;
    left -= item.estimateUsd;
    return estimateText(item.estimateUsd, left);
  };
  const lines = [
    `${paint.heading("Dry run")} of ${config.project_id}: ${plan.ready} ready, ${widthText(plan.width, clippedMax({ max }, config))}; nothing is started`,
    "",
    paint.heading(`WOULD DISPATCH (${plan.dispatch.length})`),
    ...plan.dispatch.flatMap((item) => dispatchText(item, estimate(item), paint)),
  ];
  const idle = plan.idle === undefined ? "nothing is ready" : idleSentence(plan.idle);
  if (plan.ready === 0) lines.push(`  ${idle}`);
  if (plan.deferred.length > 0)
    lines.push("", paint.heading(`DEFERRED (${plan.deferred.length})`), ...reasons(plan.deferred));
  if (plan.skipped.length > 0)
    lines.push("", paint.heading(`SKIPPED (${plan.skipped.length})`), ...reasons(plan.skipped));
  if (plan.ready > 0 && plan.idle !== undefined) lines.push("", `  ${idle}`);
  if (taken.length > 0) lines.push("", paint.heading(`TAKEN BY RUNS (${taken.length})`), ...takenRows(taken));
  return lines;
}

function dispatchText({ bead, ...item }: Dispatch, estimate: string | undefined, paint: Paint): string[] {
  const resources = item.resources.length > 0 ? [["    resources", item.resources.join(", ")]] : [];
  return [
    `  ${bead.id}  P${bead.priority}  ${plainText(bead.title)}`,
    ...table([
      ["    footprint", footprintText(item.footprint)],
      ...resources,
      ["    runtime", `${plainText(item.runtime)}, ${plainText(item.runtimeWhy)}`],
      ["    model", `${plainText(item.model)}, ${plainText(item.modelWhy)}`],
      ["    landing", `${item.mergePolicy}, ${plainText(item.mergePolicyWhy)}`],
      ["    limits", `risk tier ${item.riskTier}, ${item.timeoutSeconds} s (${item.timeoutWhy})`],
      ...(estimate === undefined ? [] : [["    estimate", estimate]]),
    ]).map(paint.faint),
  ];
}

function footprintText({ reads, writes }: Footprint): string {
  const parts = [];
  if (writes.length > 0) parts.push(`writes ${writes.join(", ")}`);
  if (reads.length > 0) parts.push(`reads ${reads.join(", ")}`);
  return plainText(parts.join("; "));
}

/** The reason is last, where a long one disturbs no other row; titles give way to keep to a narrow terminal. */
function reasons(refused: readonly NotSelected[]): string[] {
  const items = refused.map(({ bead, refusal }) => ({ bead, reason: dispatchRefusalText(refusal) }));
  const usual = longest(items.map(({ reason }) => reason.length).filter((length) => length <= USUAL_REASON));
  const ids = longest(items.map(({ bead }) => bead.id.length));
  const room = NARROW - ids - usual - "  ".length * 4 - "P0".length;
  const title = Math.min(WIDEST_TITLE, Math.max(NARROWEST_TITLE, room));
  return table(
    items.map(({ bead, reason }) => [
      `  ${bead.id}`,
      `P${bead.priority}`,
      cutText(plainText(bead.title), title),
      plainText(reason),
    ]),
  );
}

function longest(lengths: readonly number[]): number {
  return lengths.reduce((most, length) => Math.max(most, length), 0);
}
