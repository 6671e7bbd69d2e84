import { cleanPath } from "./clean-path.js";

/**
 * The folders and the name of a path, as machines may read them, in the form in which they are compared. Machines disagree
 * about what a backslash or a two-dot leader in a file name is: the first reading is git's on Linux, the second folds
 * everything first. A path counts as something if either reading does. Without segments, it leaves the repository.
 */
export function pathReadings(path: string): readonly (readonly string[])[] {
  return [segmentsOf(path).map(folded), segmentsOf(folded(path).replaceAll("\\", "/"))].map(stripped);
}

/** The folders and the name of a path that nobody disagrees about, in the form in which they are compared. */
export function foldedSegments(path: string): string[] {
  return stripped(segmentsOf(folded(path)));
}

/** A path that leaves the repository has no segments. */
function segmentsOf(path: string): string[] {
  return cleanPath(path) ?? [];
}

/**
 * Upper case first: it joins letters that lower case alone keeps apart, such as the sharp s. Some file
 * systems pass over characters nobody sees, so these do not tell two names apart either.
 */
function folded(path: string): string {
  return path.normalize("NFKC").replace(INVISIBLE, "").toUpperCase().toLowerCase();
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\p{Cf}/gu;

/** Windows drops dots and spaces at the end of a name. */
function stripped(segments: readonly string[]): string[] {
  return segments.map((segment) => segment.replace(/[. ]+$/, "")).filter((segment) => segment !== "");
}
