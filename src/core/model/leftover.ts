/**
 * What became of changes that an earlier attempt made and did not commit:
 *
 * - `none`: there were none;
 * - `there`: they are in the clone of the next attempt;
 * - `patch`: they do not fit the default branch any more, and lie in the clone as CONFLICT.patch;
 * - `kept`: no patch can carry them, so that they stay on this machine, out of the agent's reach.
 */
export const LEFTOVERS = ["none", "there", "patch", "kept"] as const;
export type Leftover = (typeof LEFTOVERS)[number];
