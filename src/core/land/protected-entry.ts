import { cleanPath } from "../../lib/clean-path.js";

/** Whether an entry of `extra` names a place in the repository: what it leaves, or a pattern, would protect nothing. */
export function canProtect(entry: string): boolean {
  return !/[*?\\]/.test(entry) && entrySegments(entry).length > 0;
}

/** The folders and the name of an entry, in the form in which they are compared. */
export function entrySegments(entry: string): string[] {
  return stripped(segmentsOf(folded(entry)));
}

/** A path that leaves the repository has no segments. */
export function segmentsOf(path: string): string[] {
  return cleanPath(path) ?? [];
}

/**
 * Upper case first: it joins letters that lower case alone keeps apart, such as the sharp s. Some file
 * systems pass over characters nobody sees, so these do not tell two names apart either.
 */
export function folded(path: string): string {
  return path.normalize("NFKC").replace(INVISIBLE, "").toUpperCase().toLowerCase();
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\p{Cf}/gu;

/** Windows drops dots and spaces at the end of a name. */
export function stripped(segments: readonly string[]): string[] {
  return segments.map((segment) => segment.replace(/[. ]+$/, "")).filter((segment) => segment !== "");
}
