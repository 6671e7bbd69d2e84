import { HANDFUL, memberOf } from "../../lib/member-of.js";

/** What a bead touches. Both lists are sorted and free of repeats, and no token stands in both. */
export interface Footprint {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/** Area name, with or without its `area:` prefix, to the tokens that work in this area writes. */
export type AreaMap = Readonly<Record<string, readonly string[]>>;

/** Written by a bead that does not say what it touches, so that such beads run one at a time. */
export const UNKNOWN_TOKEN = "domain:unknown";

/**
 * The footprint that a bead's labels declare. Any `fp:` label hides all `area:` labels; labels that
 * give no token at all yield a write of `domain:unknown`, never an empty footprint. The lists are the caller's
 * own: no two footprints share one.
 */
export function footprintOf(labels: readonly string[], areaMap: AreaMap): Footprint {
  const explicit = labels.some(isExplicit);
  const said = labels
    .filter((label) => isExplicit(label) === explicit)
    .map((label) => labelTokens(label, areaMap));
  const reads = sortedOnce(said.flatMap((label) => label.reads));
  const writes = sortedOnce(said.flatMap((label) => label.writes));
  if (reads.length === 0 && writes.length === 0) return { reads, writes: [UNKNOWN_TOKEN] };
  return { reads: without(reads, writes), writes };
}

/** Whether the label hides all `area:` labels. */
export function isExplicit(label: string): boolean {
  return label.startsWith("fp:");
}

/** The tokens that a label gives by itself; none where it is about something else. */
export function labelTokens(label: string, areaMap: AreaMap): Footprint {
  if (label.startsWith("fp:read:")) return { reads: tokensIn([label.slice("fp:read:".length)]), writes: [] };
  if (isExplicit(label)) return { reads: [], writes: tokensIn([label.slice("fp:".length)]) };
  return { reads: [], writes: tokensIn(areaTokens(label, areaMap) ?? []) };
}

/** Null when the label is no `area:` label or names an area that the map does not have. */
export function areaTokens(label: string, areaMap: AreaMap): readonly string[] | null {
  if (!label.startsWith("area:")) return null;
  const bare = label.slice("area:".length);
  const named = Object.hasOwn(areaMap, bare) ? areaMap[bare] : undefined;
  const prefixed = Object.hasOwn(areaMap, label) ? areaMap[label] : undefined;
  if (named && prefixed) return [...named, ...prefixed];
  return named ?? prefixed ?? null;
}

function tokensIn(texts: readonly string[]): string[] {
  return texts.map((text) => text.trim()).filter((token) => token !== "");
}

function sortedOnce(tokens: string[]): string[] {
  if (isAscending(tokens)) return tokens;
  tokens.sort();
  return tokens.filter((token, index) => index === 0 || token !== tokens[index - 1]);
}

/** Most footprints have a token or two and need no sorting; a frontier may have a hundred thousand of them. */
function isAscending(tokens: readonly string[]): boolean {
  for (let index = 1; index < tokens.length; index += 1)
    if ((tokens[index - 1] ?? "") >= (tokens[index] ?? "")) return false;
  return true;
}

function without(tokens: string[], others: readonly string[]): string[] {
  if (tokens.length === 1 && others.length <= HANDFUL) return others.includes(tokens[0] ?? "") ? [] : tokens;
  const isOther = memberOf(others);
  return tokens.filter((token) => !isOther(token));
}
