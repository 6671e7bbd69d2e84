import { isMalformedResource } from "./resources.js";

/** Why a label that seems to be one of ours does nothing. */
export type LabelFault =
  | { readonly kind: "malformed" }
  /** Spelt like one of ours, but for letter case, white space or the sort of hyphen. */
  | { readonly kind: "look-alike"; readonly meant: string };

const WORDS = ["no-dispatch", "refactor-core"];
const PREFIXES: ReadonlySet<string> = new Set(["fp", "area", "res", "model", "rt", "timeout", "merge", "gt"]);
const LONGEST_PREFIX = 12;

const WELL_FORMED: Readonly<Record<string, RegExp>> = {
  "rt:": /^rt:[0-3]$/,
  "timeout:": /^timeout:0*[1-9]\d*$/,
  "model:": /^model:([^:]+:)?[^:]+$/,
};

const MALFORMED: LabelFault = { kind: "malformed" };

/** Null for a label in order and for one that is none of koryph's business. */
export function labelFault(label: string): LabelFault | null {
  if (isEmptyFootprint(label) || isMalformedResource(label)) return MALFORMED;
  for (const [prefix, pattern] of Object.entries(WELL_FORMED))
    if (label.startsWith(prefix)) return pattern.test(label) ? null : MALFORMED;
  const meant = likeAWord(label) ?? likeAPrefix(label);
  return meant === null ? null : { kind: "look-alike", meant };
}

/** Such a label gives no token, and hides `area:` labels all the same. */
export function isEmptyFootprint(label: string): boolean {
  return label.startsWith("fp:") && /^fp:(read:)?\s*$/.test(label);
}

function likeAWord(label: string): string | null {
  if (label.length > 2 * LONGEST_PREFIX || WORDS.includes(label)) return null;
  const letters = label.toLowerCase().replace(/[\s_-]/g, "");
  return WORDS.find((word) => word.replace("-", "") === letters) ?? null;
}

function likeAPrefix(label: string): string | null {
  const colon = label.indexOf(":");
  if (colon < 0 || colon > LONGEST_PREFIX) return null;
  const written = label.slice(0, colon);
  const prefix = written.trim().toLowerCase();
  if (prefix === written || !PREFIXES.has(prefix)) return null;
  return `${prefix}:${label.slice(colon + 1).trim()}`;
}
