import type { AuditWarning } from "../schedule/audit-warnings.js";

/** One sentence for a label or an edge that does not do what its author thinks. */
export function warningSentence(warning: AuditWarning): string {
  switch (warning.kind) {
    case "hidden-area":
      return `${warning.id}: ${warning.labels.join(", ")} has no effect beside its fp: labels`;
    case "unknown-area":
      return `${warning.id}: area_map does not list ${warning.labels.join(", ")}`;
    case "malformed-label":
      return `${warning.id}: ${warning.labels.join(", ")} is malformed and has no effect`;
    case "missing-blocker":
      return `${warning.id}: waits for ${warning.blocker}, which does not exist, so it never becomes ready`;
    case "dependency-cycle":
      return `${warning.ids.join(" → ")} → ${warning.ids[0]}: these wait for one another and never become ready`;
  }
}
