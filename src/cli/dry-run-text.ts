import type { ProjectConfig } from "../core/config/project-schema.js";
import type { Dispatch, DispatchPlan } from "../core/run/plan-dispatch.js";
import type { NotSelected } from "../core/schedule/build-wave.js";
import type { Footprint } from "../core/schedule/footprint.js";
import { plainText } from "../lib/plain-text.js";
import { table } from "../lib/table.js";
import type { Paint } from "./terminal.js";

export interface DryRunView {
  readonly config: ProjectConfig;
  /** What `--max` asked for. */
  readonly max?: number | undefined;
  readonly paint: Paint;
}

/** What a run would do first, as a person reads it in a terminal. Every ready bead is named once. */
export function dryRunText(plan: DispatchPlan, { config, max, paint }: DryRunView): string[] {
  const capped = max !== undefined && max > plan.width ? ` (--max ${max} is above max_concurrent_slots)` : "";
  const lines = [
    `${paint.heading("Dry run")} of ${config.project_id}: ${plan.ready} ready, width ${plan.width}${capped}; nothing is started`,
    "",
    paint.heading(`WOULD DISPATCH (${plan.dispatch.length})`),
    ...plan.dispatch.flatMap((item) => dispatchText(item, paint)),
  ];
  if (plan.ready === 0)
    lines.push("  nothing is ready: every bead is closed, taken or waits for another one");
  if (plan.deferred.length > 0)
    lines.push("", paint.heading(`DEFERRED (${plan.deferred.length})`), ...reasons(plan.deferred));
  if (plan.skipped.length > 0)
    lines.push("", paint.heading(`SKIPPED (${plan.skipped.length})`), ...reasons(plan.skipped));
  return lines;
}

function dispatchText({ bead, ...item }: Dispatch, paint: Paint): string[] {
  const resources = item.resources.length > 0 ? [["    resources", item.resources.join(", ")]] : [];
  return [
    `  ${bead.id}  P${bead.priority}  ${plainText(bead.title)}`,
    ...table([
      ["    footprint", footprintText(item.footprint)],
      ...resources,
      ["    model", `${plainText(item.model)}, ${plainText(item.modelWhy)}`],
      ["    landing", `${item.mergePolicy}, ${plainText(item.mergePolicyWhy)}`],
      ["    limits", `risk tier ${item.riskTier}, ${item.timeoutSeconds} s (${item.timeoutWhy})`],
    ]).map(paint.faint),
  ];
}

function footprintText({ reads, writes }: Footprint): string {
  const parts = [];
  if (writes.length > 0) parts.push(`writes ${writes.join(", ")}`);
  if (reads.length > 0) parts.push(`reads ${reads.join(", ")}`);
  return plainText(parts.join("; "));
}

function reasons(items: readonly NotSelected[]): string[] {
  return table(
    items.map(({ bead, reason }) => [
      `  ${bead.id}`,
      `P${bead.priority}`,
      plainText(reason),
      plainText(bead.title),
    ]),
  );
}
