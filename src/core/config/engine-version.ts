import { isVersion, isVersionAtLeast } from "../../lib/version.js";

/**
 * Whether the running engine is at least the required one. `0.2`, `v0.2`, `0.2+` and `>=0.2.0` are all
 * the same floor; an empty requirement is met by any engine. Throws when either text cannot be read.
 */
export function engineSatisfies(running: string, requirement: string): boolean {
  if (!isVersion(running)) throw new RangeError(`engine version ${JSON.stringify(running)} cannot be read`);
  if (requirement.trim() === "") return true;
  const enough = isVersionAtLeast(running, floorOf(requirement));
  if (enough === null) throw new RangeError(`engine_version ${JSON.stringify(requirement)} cannot be read`);
  return enough;
}

export function isReadableRequirement(requirement: string): boolean {
  return requirement.trim() === "" || isVersion(floorOf(requirement));
}

function floorOf(requirement: string): string {
  return requirement
    .trim()
    .replace(/^>=\s*/, "")
    .replace(/\+$/, "");
}
