import type { ProjectConfig } from "../core/config/project-schema.js";
import { type Bead, isClosed } from "../core/model/bead.js";
import { workAdvice } from "../core/replies/work.js";
import { type DispatchPlan, planDispatch } from "../core/run/plan-dispatch.js";
import { UserError } from "../lib/user-error.js";
import type { WorkSource } from "../ports/work-source.js";

export interface PlanOptions {
  readonly max?: number | undefined;
  readonly parent?: string | undefined;
  readonly only?: string | undefined;
  readonly defaultModel?: string | undefined;
}

/** What a run would dispatch first. Reads the work source, changes nothing. */
export async function planRun(
  source: WorkSource,
  config: ProjectConfig,
  options: PlanOptions,
): Promise<DispatchPlan> {
  const beads = await source.all();
  const { parent, only } = options;
  if (parent !== undefined && !beads.some((bead) => bead.id === parent)) {
    throw UserError.of(workAdvice.noBead(parent));
  }
  const ready = await source.ready(parent === undefined ? {} : { parent });
  const frontier = only === undefined ? ready : [onlyReady(only, ready, beads)];
  return planDispatch({ config, beads, frontier, max: options.max, defaultModel: options.defaultModel });
}

function onlyReady(id: string, ready: readonly Bead[], beads: readonly Bead[]): Bead {
  const found = ready.find((bead) => bead.id === id);
  if (found) return found;
  const bead = beads.find((candidate) => candidate.id === id);
  if (!bead) throw UserError.of(workAdvice.noBead(id));
  throw UserError.of(workAdvice.notReady(id, whyNotReady(bead, beads)));
}

function whyNotReady(bead: Bead, beads: readonly Bead[]): string {
  if (bead.status !== "open") return `its status is ${bead.status}`;
  const closed = new Set<string>(beads.filter(isClosed).map(({ id }) => id));
  const waiting = bead.blockers.filter((id) => !closed.has(id));
  return waiting.length > 0
    ? `it waits for ${waiting.join(", ")}`
    : "the work source does not list it as ready, or --parent leaves it out";
}
