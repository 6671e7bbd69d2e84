import type { Bead, BeadId } from "../model/bead.js";
import type { DependencyOrder } from "./dependency-order.js";
import { type AreaMap, areaTokens } from "./footprint.js";
import { isMalformedResource } from "./resources.js";

/** Labels and edges that do not do what their author thinks. */
export type AuditWarning =
  | { readonly kind: "hidden-area"; readonly id: BeadId; readonly labels: readonly string[] }
  | { readonly kind: "unknown-area"; readonly id: BeadId; readonly labels: readonly string[] }
  | { readonly kind: "malformed-label"; readonly id: BeadId; readonly labels: readonly string[] }
  | { readonly kind: "missing-blocker"; readonly id: BeadId; readonly blocker: string }
  | { readonly kind: "dependency-cycle"; readonly ids: readonly BeadId[] };

export interface WarningFacts {
  readonly open: readonly Bead[];
  /** Null when every bead counts. */
  readonly scope: ReadonlySet<string> | null;
  readonly order: DependencyOrder;
  readonly areaMap: AreaMap;
}

export function auditWarnings({ open, scope, order, areaMap }: WarningFacts): AuditWarning[] {
  const inScope = (bead: Bead | undefined): bead is Bead =>
    bead !== undefined && (scope?.has(bead.id) ?? true);
  const warnings = open.filter(inScope).flatMap((bead) => labelWarnings(bead, areaMap));
  for (const [position, blocker] of order.missing) {
    const bead = open[position];
    if (inScope(bead)) warnings.push({ kind: "missing-blocker", id: bead.id, blocker });
  }
  for (const cycle of order.cycles()) {
    const beads = cycle.map((position) => open[position]).filter((bead) => bead !== undefined);
    if (beads.some(inScope)) warnings.push({ kind: "dependency-cycle", ids: beads.map((bead) => bead.id) });
  }
  return warnings;
}

function labelWarnings(bead: Bead, areaMap: AreaMap): AuditWarning[] {
  const warnings: AuditWarning[] = [];
  const add = (kind: "hidden-area" | "unknown-area" | "malformed-label", labels: readonly string[]) => {
    if (labels.length > 0) warnings.push({ kind, id: bead.id, labels: [...labels].sort() });
  };
  const areas = bead.labels.filter((label) => label.startsWith("area:"));
  if (areas.length > 0) {
    add("hidden-area", bead.labels.some((label) => label.startsWith("fp:")) ? areas : []);
    add(
      "unknown-area",
      areas.filter((label) => areaTokens(label, areaMap) === null),
    );
  }
  add(
    "malformed-label",
    bead.labels.filter((label) => isMalformedResource(label) || isEmptyFootprint(label)),
  );
  return warnings;
}

function isEmptyFootprint(label: string): boolean {
  return label.startsWith("fp:") && /^fp:(read:)?\s*$/.test(label);
}
