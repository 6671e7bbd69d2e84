import { declaredPlaces, liesIn } from "./declared-places.js";
import type { Footprint } from "./footprint.js";

/** Words of the footprint that no changed path tells to be folders: somebody has to look whether they are there. */
export function doubtfulWords(writes: readonly string[], paths: readonly string[]): string[] {
  return declaredPlaces(writes).words.filter((word) => !paths.some((path) => liesIn(path, word)));
}

/** The changed paths outside of the places that the footprint writes, names or no names. */
export function pathsOutside(writes: readonly string[], paths: readonly string[]): string[] {
  const { places, words } = declaredPlaces(writes);
  const own = [...places, ...words];
  return paths.filter((path) => !own.some((place) => liesIn(path, place)));
}

/**
 * The changed paths that the footprint does not declare. None where one of its tokens is a name, which may stand for any
 * of them: `domain:payments`, or a word that is no file or folder of the repository. `there` are the words that are.
 */
export function undeclaredPaths(
  writes: readonly string[],
  paths: readonly string[],
  there: readonly string[],
): string[] {
  if (declaredPlaces(writes).hasNames) return [];
  if (doubtfulWords(writes, paths).some((word) => !there.includes(word))) return [];
  return pathsOutside(writes, paths);
}

/** A bead in flight, with those of the paths that its footprint names. */
export interface CrossedBead {
  readonly bead: string;
  readonly paths: readonly string[];
}

/** Whose footprint paths belong to that their bead did not declare. */
export function crossedBeads(
  outside: readonly string[],
  inFlight: readonly { readonly bead: string; readonly footprint: Footprint }[],
): CrossedBead[] {
  return inFlight.flatMap(({ bead, footprint }) => {
    const { places, words } = declaredPlaces([...footprint.writes, ...footprint.reads]);
    const theirs = [...places, ...words];
    const paths = outside.filter((path) => theirs.some((place) => liesIn(path, place)));
    return paths.length === 0 ? [] : [{ bead, paths }];
  });
}
