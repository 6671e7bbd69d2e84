import type { ProjectConfig } from "../core/config/project-schema.js";
import { type Bead, isClosed } from "../core/model/bead.js";
import { workAdvice } from "../core/replies/config/work.js";
import { notReadyText } from "../core/replies/schedule/idle.js";
import { withIdle } from "../core/run/plan/idle-at-end.js";
import { type DispatchPlan, planDispatch } from "../core/run/plan/plan-dispatch.js";
import type { RouteWishes } from "../core/run/plan/route-bead.js";
import type { DispatchRefusal } from "../core/schedule/dispatch-refusal.js";
import type { Idle } from "../core/schedule/why-idle.js";
import { whyNotReady } from "../core/schedule/why-not-ready.js";
import { descendantsOf, frontierOf } from "../core/schedule/work-graph.js";
import { nearestFew } from "../lib/nearest.js";
import { UserError } from "../lib/user-error.js";
import type { WorkSource } from "../ports/work-source.js";

export interface PlanOptions extends RouteWishes {
  readonly max?: number | undefined;
  readonly parent?: string | undefined;
  readonly only?: string | undefined;
  /** Beads that may not run for a reason that was decided before. */
  readonly settled?: ReadonlyMap<string, DispatchRefusal> | undefined;
  /** Beads that the work source shows as taken, and that the run takes over. */
  readonly freed?: ReadonlySet<string> | undefined;
}

export interface RunPlan extends DispatchPlan {
  /** Why there is nothing to plan; absent when there is. */
  readonly idle?: Idle;
}

/** What a run would dispatch first. Reads the work source, changes nothing. */
export async function planRun(
  source: WorkSource,
  config: ProjectConfig,
  options: PlanOptions,
): Promise<RunPlan> {
  const { parent, only, freed = new Set<string>() } = options;
  const beads = (await source.all()).map((bead) =>
    freed.has(bead.id) && !isClosed(bead) ? { ...bead, status: "open", assignee: "" } : bead,
  );
  if (parent !== undefined) requireBead(parent, beads);
  const asked = await source.ready(parent === undefined ? {} : { parent });
  const meant = new Set(parent === undefined ? beads : descendantsOf(parent, beads));
  const known = new Set(asked.map(({ id }) => id));
  const joining = frontierOf(beads).filter((bead) => freed.has(bead.id) && meant.has(bead));
  const ready = [...asked, ...joining.filter(({ id }) => !known.has(id))];
  const frontier = only === undefined ? ready : [onlyReady(only, ready, beads)];
  const plan = planDispatch({ ...options, config, beads, frontier });
  return only === undefined ? withIdle(plan, beads, { parent, unreleased: source.unreleased?.() }) : plan;
}

/** The bead of that name; otherwise the operator learns which names come close. */
export function requireBead(id: string, beads: readonly Bead[]): Bead {
  const found = beads.find((bead) => bead.id === id);
  if (found) return found;
  const near = nearestFew(
    id,
    beads.map((bead) => bead.id),
    3,
  );
  throw UserError.of(workAdvice.noBead(id, near));
}

function onlyReady(id: string, ready: readonly Bead[], beads: readonly Bead[]): Bead {
  const found = ready.find((bead) => bead.id === id);
  if (found) return found;
  throw UserError.of(workAdvice.notReady(id, notReadyText(whyNotReady(requireBead(id, beads), beads))));
}
