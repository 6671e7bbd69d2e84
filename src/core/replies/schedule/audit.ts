import { cutText } from "../../../lib/cut-text.js";
import type { AuditWarning } from "../../schedule/audit-warnings.js";

const SHOWN = 10;
const LONGEST = 80;

/** One sentence for a label, a word or an edge that does not do what its author thinks. */
export function warningSentence(warning: AuditWarning): string {
  switch (warning.kind) {
    case "hidden-area":
      return `${warning.id}: ${few(warning.labels)} has no effect beside its fp: labels`;
    case "unknown-area":
      return `${warning.id}: area_map does not list ${few(warning.labels)}`;
    case "malformed-label":
      return warning.hides === undefined
        ? `${warning.id}: ${few(warning.labels)} is malformed and has no effect`
        : `${warning.id}: ${few(warning.labels)} is malformed, and hides area: labels`;
    case "look-alike-label":
      return `${warning.id}: ${cutText(warning.label, LONGEST)} has no effect; did you mean ${cutText(warning.meant, LONGEST)}?`;
    case "unknown-status":
      return `${warning.id}: koryph does not know the status ${cutText(warning.status, LONGEST)}, so the bead never becomes ready`;
    case "missing-blocker":
      return `${warning.id}: waits for ${warning.blocker}, which does not exist, so it never becomes ready`;
    case "dependency-cycle":
      return `${circle(warning.ids)}: these wait for one another and never become ready`;
    case "parent-cycle":
      return `${circle(warning.ids)}: these are parents of one another, so none is ever dispatched`;
    case "token-prefix":
      return `${cutText(warning.token, LONGEST)} and ${few(warning.below)} are different tokens, so beads on them may run together`;
  }
}

function few(texts: readonly string[], separator = ", "): string {
  const rest = texts.length - SHOWN;
  const shown = texts.slice(0, SHOWN).map((text) => cutText(text, LONGEST));
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join(separator);
}

function circle(ids: readonly string[]): string {
  return `${few(ids, " → ")} → ${ids[0]}`;
}
