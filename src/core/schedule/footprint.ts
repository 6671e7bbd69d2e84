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
  const reads: string[] = [];
  const writes: string[] = [];
  let explicit = false;
  for (const label of labels) {
    if (!label.startsWith("fp:")) continue;
    explicit = true;
    if (label.startsWith("fp:read:")) addToken(reads, label.slice("fp:read:".length));
    else addToken(writes, label.slice("fp:".length));
  }
  if (!explicit) {
    for (const label of labels) {
      for (const token of areaTokens(label, areaMap) ?? []) addToken(writes, token);
    }
  }
  if (reads.length === 0 && writes.length === 0) return { reads, writes: [UNKNOWN_TOKEN] };
  const written = sortedOnce(writes);
  if (reads.length === 0) return { reads, writes: written };
  return { reads: without(sortedOnce(reads), written), writes: written };
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

/** Whether the bead says nothing of what it touches. */
export function isUnknown({ reads, writes }: Footprint): boolean {
  return writes.length === 1 && reads.length === 0 && writes[0] === UNKNOWN_TOKEN;
}

function addToken(tokens: string[], text: string): void {
  const token = text.trim();
  if (token !== "") tokens.push(token);
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
