import type { Bead, BeadId } from "../model/bead.js";
import type { DependencyOrder } from "./dependency-order.js";
import { type AreaMap, areaTokens } from "./footprint.js";
import { isEmptyFootprint, labelFault } from "./label-faults.js";
import type { TokenBook } from "./token-book.js";
import { tokenPrefixes } from "./token-prefixes.js";
import { parentCycles } from "./work-graph.js";

/** Labels, words and edges that do not do what their author thinks. */
export type AuditWarning =
  | { readonly kind: "hidden-area"; readonly id: BeadId; readonly labels: readonly string[] }
  | { readonly kind: "unknown-area"; readonly id: BeadId; readonly labels: readonly string[] }
  | {
      readonly kind: "malformed-label";
      readonly id: BeadId;
      readonly labels: readonly string[];
      /** The `area:` labels they hide although they name no token themselves. */
      readonly hides?: readonly string[];
    }
  | {
      readonly kind: "look-alike-label";
      readonly id: BeadId;
      readonly label: string;
      readonly meant: string;
    }
  | { readonly kind: "unknown-status"; readonly id: BeadId; readonly status: string }
  | { readonly kind: "missing-blocker"; readonly id: BeadId; readonly blocker: string }
  | { readonly kind: "dependency-cycle"; readonly ids: readonly BeadId[] }
  | { readonly kind: "parent-cycle"; readonly ids: readonly BeadId[] }
  /** Tokens compare exactly, so a bead on `src` and one on `src/api` may run together. */
  | { readonly kind: "token-prefix"; readonly token: string; readonly below: readonly string[] };

/** What trackers call a bead that is not closed. Of these only `open` is ever ready. */
const KNOWN_STATUSES: ReadonlySet<string> = new Set([
  "open",
  "in_progress",
  "blocked",
  "deferred",
  "pinned",
  "hooked",
]);

export interface WarningFacts {
  readonly open: readonly Bead[];
  /** Null when every bead counts. */
  readonly scope: ReadonlySet<string> | null;
  readonly order: DependencyOrder;
  readonly areaMap: AreaMap;
  readonly book: TokenBook;
}

export function auditWarnings({ open, scope, order, areaMap, book }: WarningFacts): AuditWarning[] {
  const inScope = (bead: Bead | undefined): bead is Bead =>
    bead !== undefined && (scope?.has(bead.id) ?? true);
  const warnings: AuditWarning[] = [];
  const isOrdinary = ordinaryLabels();
  for (const bead of open) {
    if (!inScope(bead)) continue;
    if (!bead.labels.every(isOrdinary)) warnings.push(...labelWarnings(bead, areaMap));
    if (!KNOWN_STATUSES.has(bead.status))
      warnings.push({ kind: "unknown-status", id: bead.id, status: bead.status });
  }
  for (const [position, blocker] of order.missing) {
    const bead = open[position];
    if (inScope(bead)) warnings.push({ kind: "missing-blocker", id: bead.id, blocker });
  }
  for (const cycle of order.cycles()) {
    const beads = cycle.map((position) => open[position]).filter((bead) => bead !== undefined);
    if (beads.some(inScope)) warnings.push({ kind: "dependency-cycle", ids: beads.map(({ id }) => id) });
  }
  for (const cycle of parentCycles(open))
    if (cycle.some(inScope)) warnings.push({ kind: "parent-cycle", ids: cycle.map(({ id }) => id) });
  for (const prefix of tokenPrefixes(book)) warnings.push({ kind: "token-prefix", ...prefix });
  return warnings;
}

/** Whether nothing can be said about a label. Remembers: a backlog has many beads and few labels. */
function ordinaryLabels(): (label: string) => boolean {
  const known = new Map<string, boolean>();
  return (label) => {
    const told = known.get(label);
    if (told !== undefined) return told;
    const ordinary = !label.startsWith("area:") && labelFault(label) === null;
    known.set(label, ordinary);
    return ordinary;
  };
}

function labelWarnings({ id, labels }: Bead, areaMap: AreaMap): AuditWarning[] {
  const warnings: AuditWarning[] = [];
  const areas = labels.filter((label) => label.startsWith("area:")).sort();
  const footprints = labels.filter((label) => label.startsWith("fp:"));
  const unknown = areas.filter((label) => areaTokens(label, areaMap) === null);
  if (areas.length > 0 && footprints.length > 0) warnings.push({ kind: "hidden-area", id, labels: areas });
  if (unknown.length > 0) warnings.push({ kind: "unknown-area", id, labels: unknown });

  const faults = labels.flatMap((label) => {
    const fault = labelFault(label);
    return fault ? [{ label, fault }] : [];
  });
  const hiding = areas.length > 0 && footprints.every(isEmptyFootprint) ? footprints.sort() : [];
  const malformed = faults
    .filter(({ label, fault }) => fault.kind === "malformed" && !hiding.includes(label))
    .map(({ label }) => label);
  if (hiding.length > 0) warnings.push({ kind: "malformed-label", id, labels: hiding, hides: areas });
  if (malformed.length > 0) warnings.push({ kind: "malformed-label", id, labels: malformed.sort() });
  for (const { label, fault } of faults)
    if (fault.kind === "look-alike")
      warnings.push({ kind: "look-alike-label", id, label, meant: fault.meant });
  return warnings;
}
