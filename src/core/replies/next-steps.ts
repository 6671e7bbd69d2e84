import { plainText } from "../../lib/plain-text.js";
import type { RunSummary } from "./progress.js";

/**
 * What the operator may do after a run, one line each; empty when there is nothing to do. `repository` is
 * the engine's own clone.
 */
export function nextSteps(summary: RunSummary, repository: string): string[] {
  return [budgetStep(summary), blockedStep(summary), branchStep(summary, repository)].flatMap(
    (step) => step ?? [],
  );
}

function budgetStep({ unaffordable }: RunSummary): string | null {
  if (!unaffordable) return null;
  const { bead, estimateUsd, leftUsd } = unaffordable;
  return `  budget: ${plainText(bead)} may cost $${estimateUsd.toFixed(2)}, and $${leftUsd.toFixed(2)} of it is left`;
}

function blockedStep({ blockedBeads: [first, ...others] }: RunSummary): string | null {
  if (first === undefined) return null;
  const who = others.length === 0 ? first : `${first} and ${others.length} more`;
  return `  blocked: ${who}; koryph status says why, koryph retry ${first} lets it try again, koryph land ${first} lands what it has`;
}

/**
 * Last on its line, to be copied. The engine's clone shows its branches to nobody, so that agents do not see
 * each other's: the commit is asked for by name. Not forced: what somebody did on such a branch is theirs.
 */
function branchStep({ branches: [first, ...others] }: RunSummary, repository: string): string | null {
  if (first === undefined) return null;
  const { bead, head } = first;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return `  finished: koryph land ${bead}${more}; to look at it first: git fetch ${shellWord(repository)} ${head}:refs/heads/agent/${bead}`;
}

/** A path as a shell takes it for one word. */
function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
