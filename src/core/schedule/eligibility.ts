import type { Bead } from "../model/bead.js";
import type { DispatchRefusal } from "./dispatch-refusal.js";

/** Work of these types is done by people or made of other beads; an agent never gets one. */
const NON_DISPATCH_TYPES: ReadonlySet<string> = new Set(["epic", "feature", "decision", "merge-request"]);

export interface Ineligible {
  /** Skipped beads are reported once per run, deferred ones may run later in the same run. */
  readonly bucket: "skipped" | "deferred";
  readonly refusal: DispatchRefusal;
}

/** What the rule looks at besides the bead itself. */
export interface EligibilityFacts {
  readonly active: { has(id: string): boolean };
  /** Ids of the beads that have at least one child still open. */
  readonly containers: { has(id: string): boolean };
}

/** Null when the bead may be dispatched. The order decides which of several reasons is shown. */
export function ineligible(bead: Bead, facts: EligibilityFacts): Ineligible | null {
  const shape = neverDispatched(bead);
  if (shape) return shape;
  if (bead.release?.kind === "withheld") return deferred({ code: "not_released", why: bead.release.why });
  if (bead.labels.includes("no-dispatch")) return deferred({ code: "no_dispatch" });
  if (bead.labels.includes("refactor-core")) return deferred({ code: "refactor_core" });
  if (facts.active.has(bead.id)) return deferred({ code: "already_active" });
  if (facts.containers.has(bead.id)) return deferred({ code: "container" });
  return null;
}

/** Null unless the bead's type or a `gt:` label rules it out whatever else may change. */
function neverDispatched(bead: Bead): Ineligible | null {
  if (NON_DISPATCH_TYPES.has(bead.type)) return skipped({ code: "issue_type", type: bead.type });
  let gate: string | null = null;
  // The smallest, so that the order of labels never shows.
  for (const label of bead.labels)
    if (label.startsWith("gt:") && (gate === null || label < gate)) gate = label;
  return gate === null ? null : skipped({ code: "gate_label", label: gate });
}

function skipped(refusal: DispatchRefusal): Ineligible {
  return { bucket: "skipped", refusal };
}

function deferred(refusal: DispatchRefusal): Ineligible {
  return { bucket: "deferred", refusal };
}
