import type { NoGithub } from "../../config/github-remote.js";
import type { ProjectConfig } from "../../config/project-schema.js";
import { type Bead, type BeadId, isClosed } from "../../model/bead.js";
import { type MergePolicy, resolveMergePolicy } from "../../route/merge-policy.js";
import { type RiskTier, resolveRiskTier } from "../../route/risk-tier.js";
import { resolveTimeout } from "../../route/stage-timeout.js";
import type { DispatchRefusal } from "../../schedule/dispatch-refusal.js";
import { ancestorsOf, parentsById } from "../../schedule/work-graph.js";
import { type Agents, type AgentWishes, chooseAgents } from "./choose-agents.js";
import { taskSize } from "./estimate-cost.js";

/** Everything a bead's agent is started with, and why. */
export interface BeadRoute extends Agents {
  readonly mergePolicy: MergePolicy;
  readonly mergePolicyWhy: string;
  readonly riskTier: RiskTier;
  readonly timeoutSeconds: number;
  readonly timeoutWhy: string;
}

export interface RouteWishes extends AgentWishes {
  /** `--direct`: every bead lands, whatever its policy. */
  readonly direct?: boolean | undefined;
  /** Why no pull request can be opened; absent where they can. */
  readonly noPulls?: NoGithub | undefined;
}

export type RouteChoice =
  | { readonly kind: "chosen"; readonly route: BeadRoute }
  | { readonly kind: "refused"; readonly refusal: DispatchRefusal };

/** How a bead is worked on and lands; or why it is not, before anybody is paid for it. */
export function routeBead(
  bead: Bead,
  parents: ReadonlyMap<BeadId, Bead>,
  config: ProjectConfig,
  wishes: RouteWishes = {},
): RouteChoice {
  const epics = ancestorsOf(bead, parents).map(({ labels }) => labels);
  const { policy, rationale } = resolveMergePolicy(epics, config.merge_policy);
  if (policy === "pr" && wishes.noPulls !== undefined && !wishes.direct)
    return { kind: "refused", refusal: { code: "policy_refused", policy, rationale } };
  const agents = chooseAgents(bead, config, wishes);
  if (agents.kind === "refused") return agents;
  const timeout = resolveTimeout({ labels: bead.labels });
  return {
    kind: "chosen",
    route: {
      ...agents.agents,
      mergePolicy: policy,
      mergePolicyWhy: rationale,
      riskTier: resolveRiskTier(bead.labels, config.risk_tier_default as RiskTier),
      timeoutSeconds: timeout.seconds,
      timeoutWhy: timeout.rationale,
    },
  };
}

/**
 * `routeBead` for the beads of a backlog. It remembers: a backlog has many beads and few sorts of them, and each
 * sort is decided once.
 */
export function beadRouter(
  beads: readonly Bead[],
  config: ProjectConfig,
  wishes: RouteWishes = {},
): (bead: Bead) => RouteChoice {
  const parents = parentsById(beads);
  const known = new Map<string, RouteChoice>();
  return (bead) => {
    // One that is below itself has other parents than its children have.
    if (parents.has(bead.id)) return routeBead(bead, parents, config, wishes);
    const sort = sortOf(bead);
    const told = known.get(sort);
    if (told !== undefined) return told;
    const choice = routeBead(bead, parents, config, wishes);
    known.set(sort, choice);
    return choice;
  };
}

/** Everything about a bead that its route depends on. */
function sortOf({ parent, description, labels }: Bead): string {
  const size = `${taskSize(description)}`;
  // Most beads: nothing has to be put together.
  if (parent === null && !labels.some(isAboutRoute)) return size;
  return `${size} ${parent ?? ""} ${JSON.stringify(labels.filter(isAboutRoute))}`;
}

const ABOUT_ROUTE = ["model:", "runtime:", "rt:", "timeout:"];

function isAboutRoute(label: string): boolean {
  return ABOUT_ROUTE.some((prefix) => label.startsWith(prefix));
}

/** The open beads that cannot be worked on as they are labelled, and why. */
export function refusedBeads(
  beads: readonly Bead[],
  config: ProjectConfig,
  wishes: Pick<RouteWishes, "noPulls"> = {},
): Map<string, DispatchRefusal> {
  const routeOf = beadRouter(beads, config, wishes);
  const refusals = new Map<string, DispatchRefusal>();
  for (const bead of beads) {
    if (isClosed(bead)) continue;
    const choice = routeOf(bead);
    if (choice.kind === "refused") refusals.set(bead.id, choice.refusal);
  }
  return refusals;
}
