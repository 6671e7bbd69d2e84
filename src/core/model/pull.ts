import { parseBeadId } from "./bead.js";

/** Branches that carry a bead's work. */
const AGENT_BRANCH = "agent/";

/** The branch that a bead's pull request comes from. */
export function branchOfBead(bead: string): string {
  return `${AGENT_BRANCH}${bead}`;
}

/** The bead whose work a branch of the repository itself carries; null for any other branch, and for a fork's. */
export function beadOfBranch({
  branch,
  fork,
}: {
  readonly branch: string;
  readonly fork: boolean;
}): string | null {
  if (fork || !branch.startsWith(AGENT_BRANCH)) return null;
  return parseBeadId(branch.slice(AGENT_BRANCH.length));
}

/** What holds and landings of a pull request go by that carries no bead's work. */
export function pullSubject(pull: number): string {
  return `pull-${pull}`;
}
