import { foldedSegments } from "../../lib/paths/path-readings.js";

/** Whether an entry of `extra` names a place in the repository: what it leaves, or a pattern, would protect nothing. */
export function canProtect(entry: string): boolean {
  return !/[*?\\]/.test(entry) && foldedSegments(entry).length > 0;
}
