import { declaredPlaces, liesIn } from "./declared-places.js";
import type { AreaMap } from "./footprint.js";

/** A bead that landed: the areas that its labels named, and what its commits changed. */
export interface LandedBead {
  readonly bead: string;
  readonly areas: readonly string[];
  readonly paths: readonly string[];
}

interface LearntToken {
  readonly token: string;
  /** How many of the area's beads changed something there. */
  readonly beads: number;
  /** The map has it for this area already. */
  readonly known: boolean;
}

export interface LearntArea {
  readonly area: string;
  /** Beads that named this area and no other: what they changed is the area's. */
  readonly beads: number;
  /** Empty where they are too few. */
  readonly tokens: readonly LearntToken[];
  /** Paths of the map where none of them changed anything. */
  readonly unused: readonly string[];
  /** Tokens of the map that are no paths: history says nothing about them. */
  readonly names: readonly string[];
}

/** Fewer beads of an area show a habit of nobody. */
export const FEWEST_BEADS = 3;
/** One bead that strays is no rule. */
const FEWEST_AT_PLACE = 2;
/** A folder whose work spreads over more folders than this is taken as a whole. */
const MOST_PARTS = 3;

/** What the areas' beads have changed, as tokens for the map; areas by name, tokens by path. */
export function learnAreas(landed: readonly LandedBead[], areaMap: AreaMap): LearntArea[] {
  const map = bareMap(areaMap);
  const areas = [...new Set([...map.keys(), ...landed.flatMap((bead) => bead.areas)])].sort();
  const found = areas.map((area) => ({ area, beads: landed.filter((bead) => namesOnly(bead, area)) }));
  const places = found.flatMap(({ beads }) => placesOf(beads));
  const known = [...map.values()].flat();
  return found.map(({ area, beads }) => {
    const tokensOfMap = map.get(area) ?? [];
    const names = tokensOfMap.filter((token) => declaredPlaces([token]).hasNames);
    const own = tokensOfMap.filter((token) => !names.includes(token));
    // Tokens are compared exactly, so a folder and one below it would not keep two beads apart.
    const tokens = new Set(placesOf(beads).map((place) => widest(place, [...known, ...places])));
    return {
      area,
      beads: beads.length,
      tokens: [...tokens].sort().map((token) => ({
        token,
        beads: beads.filter(({ paths }) => paths.some((path) => liesIn(path, token))).length,
        known: own.includes(token),
      })),
      unused:
        beads.length < FEWEST_BEADS
          ? []
          : own.filter((token) => !beads.some(({ paths }) => paths.some((path) => liesIn(path, token)))),
      names,
    };
  });
}

/** Areas with or without their prefix are the same. */
function bareMap(areaMap: AreaMap): Map<string, readonly string[]> {
  const map = new Map<string, readonly string[]>();
  for (const [name, tokens] of Object.entries(areaMap)) {
    const area = name.replace(/^area:/, "");
    map.set(area, [...(map.get(area) ?? []), ...tokens.map((token) => token.replace(/\/(\*\*?)?$/, ""))]);
  }
  return map;
}

function namesOnly({ areas }: LandedBead, area: string): boolean {
  return areas.length > 0 && areas.every((each) => each === area);
}

function widest(place: string, others: readonly string[]): string {
  const above = others.filter((other) => liesIn(place, other));
  return above.reduce((found, other) => (other.length < found.length ? other : found), place);
}

function placesOf(beads: readonly LandedBead[]): string[] {
  if (beads.length < FEWEST_BEADS) return [];
  return partsOf("", beads).flatMap(({ place, within }) => tighten(place, within));
}

interface Part {
  readonly place: string;
  readonly within: readonly LandedBead[];
}

/** The place itself, or the few places in it where all of its work is. */
function tighten(place: string, within: readonly LandedBead[]): string[] {
  const parts = partsOf(place, within);
  const isFile = within.some(({ paths }) => paths.includes(place));
  if (isFile || parts.length === 0 || parts.length > MOST_PARTS) return [place];
  const isAll = within.every(({ paths }) =>
    paths
      .filter((path) => liesIn(path, place))
      .every((path) => parts.some((part) => liesIn(path, part.place))),
  );
  // A file is as narrow as a token gets, and the next bead changes the one beside it.
  const areFolders = parts.every((part) => !part.within.some(({ paths }) => paths.includes(part.place)));
  return isAll && areFolders ? parts.flatMap((part) => tighten(part.place, part.within)) : [place];
}

/** What lies directly in a folder and was changed by more than one bead. */
function partsOf(folder: string, beads: readonly LandedBead[]): Part[] {
  const start = folder === "" ? 0 : folder.length + 1;
  const found = new Map<string, Set<LandedBead>>();
  for (const bead of beads) {
    for (const path of bead.paths) {
      if (!liesIn(path, folder) || path === folder) continue;
      const end = path.indexOf("/", start);
      const place = end === -1 ? path : path.slice(0, end);
      found.set(place, (found.get(place) ?? new Set()).add(bead));
    }
  }
  return [...found]
    .filter(([, within]) => within.size >= FEWEST_AT_PLACE)
    .map(([place, within]) => ({ place, within: [...within] }));
}
