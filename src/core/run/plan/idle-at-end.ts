import type { Bead } from "../../model/bead.js";
import type { NotSelected } from "../../schedule/build-wave.js";
import { type Idle, type IdleFacts, type Unreleased, whyIdle } from "../../schedule/why-idle.js";
import { whyNotReady } from "../../schedule/why-not-ready.js";

import type { DispatchPlan } from "./plan-dispatch.js";

export interface EndedRun {
  /** How many beads it took. */
  readonly taken: number;
  /** It ended because nothing was left. */
  readonly drained: boolean;
  /** Beads that were ready and not for this run. */
  readonly passedOver: readonly NotSelected[];
  readonly parent?: string | undefined;
  readonly only?: string | undefined;
  readonly unreleased?: Unreleased | null | undefined;
}

/**
 * Why a run found nothing, or nothing more; null when that is no question. One that did something is asked about
 * beads that wait for others: whoever reads "drained" takes the backlog for done.
 */
export function idleAtEnd(
  { taken, drained, passedOver, parent, only, unreleased }: EndedRun,
  beads: readonly Bead[],
): Idle | null {
  if (!drained) return null;
  if (only !== undefined) {
    if (passedOver.length > 0) return null;
    const bead = beads.find(({ id }) => id === only);
    if (taken > 0 || bead === undefined) return null;
    return { kind: "not-ready", bead: bead.id, why: whyNotReady(bead, beads) };
  }
  const ready = passedOver.map(({ bead }) => bead.id);
  const idle = whyIdle(beads, { parent, ready, unreleased });
  return taken === 0 || (idle?.kind === "waiting" && idle.waiting > 0) ? idle : null;
}

/** A plan that dispatches nothing, with why there is nothing more to it. */
export function withIdle<P extends DispatchPlan>(
  plan: P,
  beads: readonly Bead[],
  { parent, unreleased }: Pick<IdleFacts, "parent" | "unreleased"> = {},
): P & { readonly idle?: Idle } {
  if (plan.dispatch.length > 0) return plan;
  const ready = [...plan.deferred, ...plan.skipped].map(({ bead }) => bead.id);
  const idle = whyIdle(beads, { parent, ready, unreleased });
  return idle === null ? plan : { ...plan, idle };
}
