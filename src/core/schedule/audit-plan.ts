import { type Bead, type BeadId, isClosed } from "../model/bead.js";
import { type AuditWarning, auditWarnings } from "./audit-warnings.js";
import { type ConflictingPairs, conflictingPairs } from "./conflicting-pairs.js";
import { DependencyOrder } from "./dependency-order.js";
import type { DispatchRefusal } from "./dispatch-refusal.js";
import { ineligible } from "./eligibility.js";
import type { AreaMap } from "./footprint.js";
import { parallelWidth } from "./parallel-width.js";
import { inPriorityOrder } from "./priority-order.js";
import { TokenBook } from "./token-book.js";
import { containersOf, descendantsOf } from "./work-graph.js";

export interface AuditInput {
  /** The whole work graph, closed beads included. */
  readonly beads: readonly Bead[];
  readonly areaMap: AreaMap;
  /** Audit only what lies below this bead. */
  readonly epic?: string;
  /** Beads refused for a reason decided elsewhere, such as a model that is not allowed. */
  readonly refused?: ReadonlyMap<string, DispatchRefusal>;
  /** How many conflicting pairs to list, 200 unless told; null leaves the pairs out and uncounted. */
  readonly pairLimit?: number | null;
}

export interface PlanAudit {
  readonly totalOpen: number;
  /** The open beads looked at, in the given order. */
  readonly open: readonly Bead[];
  /** Beads that an agent could take but that do not say what they touch. */
  readonly unlabeled: readonly BeadId[];
  readonly nonDispatchable: readonly { readonly id: BeadId; readonly refusal: DispatchRefusal }[];
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
  const scope = scopeOf(input);
  const facts = { active: NOBODY, containers: containersOf(open) };

  const book = new TokenBook(input.areaMap);
  const unlabeled: number[] = [];
  const nonDispatchable: { id: BeadId; refusal: DispatchRefusal }[] = [];
  const workable: number[] = [];
  const eligible: number[] = [];
  const stats = { ready: 0, dispatchable: 0, tokens: 0, refactorCore: 0, noDispatch: 0 };
  for (let position = 0; position < open.length; position += 1) {
    const bead = open[position] as Bead;
    book.open();
    if (scope && !scope.has(bead.id)) continue;
    if (bead.status === "open" && order.waitsForNothing(position)) stats.ready += 1;
    if (bead.labels.includes("refactor-core")) stats.refactorCore += 1;
    if (bead.labels.includes("no-dispatch")) stats.noDispatch += 1;

    const barred = ineligible(bead, facts);
    const refusal = barred?.refusal ?? input.refused?.get(bead.id);
    if (refusal) nonDispatchable.push({ id: bead.id, refusal });
    if (barred?.bucket === "skipped" || facts.containers.has(bead.id)) continue;
    book.fillFrom(bead.labels);
    if (book.isUnknown(position)) unlabeled.push(position);
    if (!refusal) eligible.push(position);
    if (input.pairLimit !== null) workable.push(position);
  }
  stats.dispatchable = eligible.length;
  stats.tokens = book.size;

  const inScope = scope ? open.filter((bead) => scope.has(bead.id)) : open;
  const packing = inPriorityOrder(eligible, (position) => (open[position] as Bead).priority);
  const packingFacts = { order, book, stuck: order.stuck() };
  const current = parallelWidth(packing, packingFacts);
  const potential = parallelWidth(packing, { ...packingFacts, apart: new Set(unlabeled) });
  return {
    totalOpen: inScope.length,
    open: inScope,
    unlabeled: unlabeled.map((position) => (open[position] as Bead).id),
    nonDispatchable,
    conflicts:
      input.pairLimit === null
        ? null
        : conflictingPairs(workable, { open, order, book }, input.pairLimit ?? LISTED_PAIRS),
    // Packing is greedy, so more freedom may lead it to fewer beads; what fits now still fits then.
    parallelWidth: { current: current.width, potential: Math.max(current.width, potential.width) },
    stats,
    warnings: auditWarnings({ open, scope, order, areaMap: input.areaMap, book }),
    lookups: current.lookups + potential.lookups,
  };
}

/** Null when the whole graph is meant. */
function scopeOf(input: AuditInput): ReadonlySet<string> | null {
  if (input.epic === undefined) return null;
  return new Set(descendantsOf(input.epic, input.beads).map((bead) => bead.id));
}
