import type { ProjectConfig } from "../../config/project-schema.js";
import type { Bead, BeadId } from "../../model/bead.js";
import { type MergePolicy, resolveMergePolicy } from "../../route/merge-policy.js";
import { type RiskTier, resolveRiskTier } from "../../route/risk-tier.js";
import { resolveTimeout } from "../../route/stage-timeout.js";
import { buildWave, type InFlight, type NotSelected, type Selected } from "../../schedule/build-wave.js";
import type { DispatchRefusal } from "../../schedule/dispatch-refusal.js";
import { ancestorsOf, containersOf } from "../../schedule/work-graph.js";
import { type Agents, chooseAgents } from "./choose-agents.js";

export interface DispatchFacts {
  readonly config: ProjectConfig;
  /** Every bead there is: parents and containers are found here. */
  readonly beads: readonly Bead[];
  readonly frontier: readonly Bead[];
  /** `--max`; the project's own ceiling still holds. */
  readonly max?: number | undefined;
  /** `--default-model`. */
  readonly defaultModel?: string | undefined;
  /** `--review`, or the project's own wish. */
  readonly review?: boolean | undefined;
  /** Runtimes that were looked for and cannot be used, and why. */
  readonly unusable?: Readonly<Record<string, string>> | undefined;
  /** Beads whose footprints are taken. */
  readonly inFlight?: readonly InFlight[];
  /** How many of the places are taken; as many as there are in flight, unless told. */
  readonly occupied?: number;
  /** Beads that may not run for a reason that was decided before. */
  readonly settled?: ReadonlyMap<string, DispatchRefusal>;
  readonly deferrals?: Readonly<Record<string, number>>;
}

/** A selected bead with everything its agent is started with, and why. */
export interface Dispatch extends Selected, Agents {
  readonly mergePolicy: MergePolicy;
  readonly mergePolicyWhy: string;
  readonly riskTier: RiskTier;
  readonly timeoutSeconds: number;
  readonly timeoutWhy: string;
}

/** Never dispatched: a bead without agents is refused. */
const NOBODY: Agents = { model: "", modelWhy: "", runtime: "", stages: [] };

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
  const agents = choose(facts);
  const wave = buildWave({
    frontier,
    areaMap: config.area_map,
    width: Math.max(0, width - (facts.occupied ?? inFlight.length)),
    inFlight,
    capacities: capacitiesOf(config.resources),
    containers: containersOf(beads),
    refused: agents.refused,
    deferrals: facts.deferrals ?? {},
  });
  const byId = new Map<BeadId, Bead>(beads.map((bead) => [bead.id, bead]));
  return {
    width,
    ready: frontier.length,
    dispatch: wave.selected.map((selected) => ({
      ...selected,
      ...routeOf(selected.bead, byId, config),
      ...(agents.chosen.get(selected.bead.id) ?? NOBODY),
    })),
    deferred: wave.deferred,
    skipped: wave.skipped,
    deferrals: wave.deferrals,
  };
}

export function capacitiesOf(resources: ProjectConfig["resources"]): Record<string, number> {
  return Object.fromEntries(Object.entries(resources).map(([kind, { capacity }]) => [kind, capacity]));
}

/** Chosen before packing: a bead that nobody can work on must not take a place or hold a token. */
function choose({ config, frontier, defaultModel, review, unusable, settled }: DispatchFacts) {
  const chosen = new Map<BeadId, Agents>();
  const refused = new Map<string, DispatchRefusal>(settled);
  for (const bead of frontier) {
    const choice = chooseAgents(bead, config, { defaultModel, review, unusable });
    const { kind, ...rest } = choice;
    if (choice.kind === "chosen") chosen.set(bead.id, rest as Agents);
    else if (!refused.has(bead.id)) refused.set(bead.id, choice.refusal);
  }
  return { chosen, refused };
}

function routeOf(bead: Bead, byId: ReadonlyMap<BeadId, Bead>, config: ProjectConfig) {
  const epics = ancestorsOf(bead, byId).map((ancestor) => ancestor.labels);
  const merge = resolveMergePolicy(epics, config.merge_policy);
  const timeout = resolveTimeout({ labels: bead.labels });
  return {
    mergePolicy: merge.policy,
    mergePolicyWhy: merge.rationale,
    riskTier: resolveRiskTier(bead.labels, config.risk_tier_default as RiskTier),
    timeoutSeconds: timeout.seconds,
    timeoutWhy: timeout.rationale,
  };
}
