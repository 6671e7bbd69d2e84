import type { ProjectConfig } from "../../config/project-schema.js";
import type { Bead } from "../../model/bead.js";
import { buildWave, type InFlight, type NotSelected, type Selected } from "../../schedule/build-wave.js";
import type { DispatchRefusal } from "../../schedule/dispatch-refusal.js";
import { containersOf } from "../../schedule/work-graph.js";
import { type BeadRoute, beadRouter, type RouteChoice, type RouteWishes } from "./route-bead.js";

export interface DispatchFacts extends RouteWishes {
  readonly config: ProjectConfig;
  /** Every bead there is: parents and containers are found here. */
  readonly beads: readonly Bead[];
  readonly frontier: readonly Bead[];
  /** `--max`; the project's own ceiling still holds. */
  readonly max?: number | undefined;
  /** Beads whose footprints are taken. */
  readonly inFlight?: readonly InFlight[];
  /** How many of the places are taken; as many as there are in flight, unless told. */
  readonly occupied?: number;
  /** Beads that may not run for a reason that was decided before. */
  readonly settled?: ReadonlyMap<string, DispatchRefusal> | undefined;
  readonly deferrals?: Readonly<Record<string, number>>;
  /** What keeps such an agent from being started now; null when nothing does. */
  readonly keptBack?: (agent: BeadRoute, bead: Bead) => DispatchRefusal | null;
}

/** A selected bead with everything its agent is started with, and why. */
export interface Dispatch extends Selected, BeadRoute {}

export interface DispatchPlan {
  readonly width: number;
  readonly ready: number;
  readonly dispatch: readonly Dispatch[];
  readonly deferred: readonly NotSelected[];
  readonly skipped: readonly NotSelected[];
  readonly deferrals: Readonly<Record<string, number>>;
}

/** What would be started now, with which model and limits, and what not and why. */
export function planDispatch(facts: DispatchFacts): DispatchPlan {
  const { config, beads, frontier } = facts;
  const inFlight = facts.inFlight ?? [];
  const width = Math.min(facts.max ?? config.max_concurrent_slots, config.max_concurrent_slots);
  const routeOf = beadRouter(beads, config, facts);
  const wave = buildWave({
    frontier,
    areaMap: config.area_map,
    width: Math.max(0, width - (facts.occupied ?? inFlight.length)),
    inFlight,
    capacities: capacitiesOf(config.resources),
    containers: containersOf(beads),
    refused: refusalsOf(facts, routeOf),
    deferrals: facts.deferrals ?? {},
  });
  return {
    width,
    ready: frontier.length,
    dispatch: wave.selected.flatMap((selected) => {
      const choice = routeOf(selected.bead);
      return choice.kind === "chosen" ? [{ ...selected, ...choice.route }] : [];
    }),
    deferred: wave.deferred,
    skipped: wave.skipped,
    deferrals: wave.deferrals,
  };
}

export function capacitiesOf(resources: ProjectConfig["resources"]): Record<string, number> {
  return Object.fromEntries(Object.entries(resources).map(([kind, { capacity }]) => [kind, capacity]));
}

/** Decided before packing: a bead that nobody can work on must not take a place or hold a token. */
function refusalsOf(
  facts: DispatchFacts,
  routeOf: (bead: Bead) => RouteChoice,
): Map<string, DispatchRefusal> {
  const refused = new Map<string, DispatchRefusal>(facts.settled);
  for (const bead of facts.frontier) {
    const choice = routeOf(bead);
    const refusal =
      choice.kind === "refused" ? choice.refusal : (facts.keptBack?.(choice.route, bead) ?? null);
    if (refusal !== null && !refused.has(bead.id)) refused.set(bead.id, refusal);
  }
  return refused;
}
