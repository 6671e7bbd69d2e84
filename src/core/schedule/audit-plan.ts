import { type Bead, type BeadId, isClosed } from "../model/bead.js";
import type { Refusal } from "../replies/schedule.js";
import { type AuditWarning, auditWarnings } from "./audit-warnings.js";
import { byPriority } from "./build-wave.js";
import { type ConflictingPairs, conflictingPairs, type Placed } from "./conflicting-pairs.js";
import { DependencyOrder } from "./dependency-order.js";
import { ineligible } from "./eligibility.js";
import { type AreaMap, footprintOf, isUnknown, UNKNOWN_TOKEN } from "./footprint.js";
import { TokenIndex } from "./token-index.js";
import { containersOf, descendantsOf, frontierOf } from "./work-graph.js";

export interface AuditInput {
  /** The whole work graph, closed beads included. */
  readonly beads: readonly Bead[];
  readonly areaMap: AreaMap;
  /** Audit only what lies below this bead. */
  readonly epic?: string;
  /** How many conflicting pairs to list, 200 unless told; null leaves the pairs out and uncounted. */
  readonly pairLimit?: number | null;
}

export interface PlanAudit {
  readonly totalOpen: number;
  /** Beads that an agent could take but that do not say what they touch. */
  readonly unlabeled: readonly BeadId[];
  readonly nonDispatchable: readonly ({ readonly id: BeadId } & Refusal)[];
  readonly conflicts: ConflictingPairs | null;
  /** How many beads fit side by side as they are, and if every unlabeled one had a token of its own. */
  readonly parallelWidth: { readonly current: number; readonly potential: number };
  readonly stats: CorpusStats;
  readonly warnings: readonly AuditWarning[];
  /** Token look-ups made for the width. */
  readonly lookups: number;
}

export interface CorpusStats {
  readonly ready: number;
  readonly dispatchable: number;
  readonly tokens: number;
  readonly refactorCore: number;
  readonly noDispatch: number;
}

export const LISTED_PAIRS = 200;

const NOBODY: ReadonlySet<string> = new Set();

/**
 * What stands in the way of running the backlog in parallel. Looks at open beads. Epics, containers
 * and gate beads never run, so they are in none of the lists but the non-dispatchable one.
 */
export function auditPlan(input: AuditInput): PlanAudit {
  const open = input.beads.filter((bead) => !isClosed(bead));
  const order = new DependencyOrder(input.beads, open);
  const facts = { active: NOBODY, containers: containersOf(input.beads) };
  const scope = scopeOf(input);

  const nonDispatchable: ({ id: BeadId } & Refusal)[] = [];
  const workable: Placed[] = [];
  const eligible: Placed[] = [];
  for (const [position, bead] of open.entries()) {
    if (scope && !scope.has(bead.id)) continue;
    const refused = ineligible(bead, facts);
    if (refused) nonDispatchable.push({ id: bead.id, ...refused.refusal });
    if (refused?.bucket === "skipped" || facts.containers.has(bead.id)) continue;
    const placed = { bead, position, footprint: footprintOf(bead.labels, input.areaMap) };
    workable.push(placed);
    if (!refused) eligible.push(placed);
  }

  eligible.sort((a, b) => byPriority(a.bead, b.bead));
  const current = parallelWidth(eligible, order);
  const potential = parallelWidth(eligible.map(withOwnToken), order);
  const inScope = scope ? open.filter((bead) => scope.has(bead.id)) : open;
  return {
    totalOpen: inScope.length,
    unlabeled: workable.filter(({ footprint }) => isUnknown(footprint)).map(({ bead }) => bead.id),
    nonDispatchable,
    conflicts:
      input.pairLimit === null ? null : conflictingPairs(workable, order, input.pairLimit ?? LISTED_PAIRS),
    // Packing is greedy, so more freedom may lead it to fewer beads; what fits now still fits then.
    parallelWidth: { current: current.width, potential: Math.max(current.width, potential.width) },
    stats: {
      ready: frontierOf(input.beads).filter((bead) => !scope || scope.has(bead.id)).length,
      dispatchable: eligible.length,
      tokens: countTokens(workable),
      refactorCore: inScope.filter((bead) => bead.labels.includes("refactor-core")).length,
      noDispatch: inScope.filter((bead) => bead.labels.includes("no-dispatch")).length,
    },
    warnings: auditWarnings({ open, scope, order, areaMap: input.areaMap }),
    lookups: current.lookups + potential.lookups,
  };
}

/** Null when the whole graph is meant. */
function scopeOf(input: AuditInput): ReadonlySet<string> | null {
  if (input.epic === undefined) return null;
  return new Set(descendantsOf(input.epic, input.beads).map((bead) => bead.id));
}

/** Greedy in the given order, as the scheduler packs: what it finds is reachable, though not always the most. */
function parallelWidth(beads: readonly Placed[], order: DependencyOrder): { width: number; lookups: number } {
  const taken = new TokenIndex();
  const ordered = order.neighbourhood();
  let width = 0;
  for (const { bead, footprint, position } of beads) {
    if (ordered.has(position) || taken.firstConflict(footprint) !== null) continue;
    taken.add(bead.id, footprint);
    ordered.add(position);
    width += 1;
  }
  return { width, lookups: taken.lookups };
}

function countTokens(beads: readonly Placed[]): number {
  const tokens = new Set<string>();
  for (const { footprint } of beads) {
    for (const token of footprint.reads) tokens.add(token);
    for (const token of footprint.writes) tokens.add(token);
  }
  return tokens.size;
}

/** With a line break in it, the token is nobody else's: whoever writes labels does not write that by chance. */
function withOwnToken(placed: Placed): Placed {
  if (!isUnknown(placed.footprint)) return placed;
  return { ...placed, footprint: { reads: [], writes: [`${UNKNOWN_TOKEN}\n${placed.bead.id}`] } };
}
