import { plainText } from "../../../lib/plain-text.js";
import { shellWord } from "../../../lib/shell-word.js";
import type { RunSummary } from "./progress.js";
import type { Taken } from "./taken-by-runs.js";

const MOST_NAMED = 5;

/**
 * What the operator may do after a run, one line for all beads that the same thing brings on; empty when there is
 * nothing to do. `repository` is the engine's own clone.
 */
export function nextSteps(summary: RunSummary, repository: string): string[] {
  const { left, earlier } = summary;
  return [
    ...budgetStep(summary),
    // What may be copied into a shell comes after what has to be read.
    ...grouped(left.filter(({ next }) => next.kind !== "land")).flatMap(groupStep),
    ...branchStep(
      left.filter(({ next }) => next.kind === "land"),
      repository,
    ),
    ...earlierSteps(earlier),
  ];
}

function budgetStep({ unaffordable }: RunSummary): string[] {
  if (!unaffordable) return [];
  const { bead, estimateUsd, leftUsd } = unaffordable;
  return [
    `  budget: ${plainText(bead)} may cost $${estimateUsd.toFixed(2)}, and $${leftUsd.toFixed(2)} of it is left`,
  ];
}

function grouped(left: readonly Taken[]): Taken[][] {
  const groups = new Map<string, Taken[]>();
  for (const taken of left) {
    const key = `${labelOf(taken)} ${taken.next.kind}`;
    groups.set(key, [...(groups.get(key) ?? []), taken]);
  }
  return [...groups.values()];
}

function groupStep([first, ...others]: readonly Taken[]): string[] {
  if (first === undefined) return [];
  const who = others.length === 0 ? first.bead : `${first.bead} and ${others.length} more`;
  const { kind, text } = first.next;
  const why = kind === "retry" || kind === "retry-or-land" ? "koryph status says why, " : "";
  return [`  ${labelOf(first)}: ${who}; ${why}${text}`];
}

function labelOf({ status }: Taken): string {
  switch (status) {
    case "merge-pending":
      return "finished";
    case "conflict":
      return "blocked";
    default:
      return status;
  }
}

/**
 * Last on its line, to be copied. The engine's clone shows its branches to nobody, so that agents do not see
 * each other's: the commit is asked for by name. Not forced: what somebody did on such a branch is theirs.
 */
function branchStep([first, ...others]: readonly Taken[], repository: string): string[] {
  if (first === undefined) return [];
  const { bead, head } = first;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const look =
    head === null
      ? ""
      : `; to look at it first: git fetch ${shellWord(repository)} ${head}:refs/heads/agent/${bead}`;
  return [`  finished: koryph land ${bead}${more}${look}`];
}

/** What waits since before this run. Its own lines would drown in it, so it is told in as few as can be. */
function earlierSteps(earlier: readonly Taken[]): string[] {
  const those = (...kinds: readonly string[]) => earlier.filter(({ next }) => kinds.includes(next.kind));
  const rest = earlier.filter(({ next }) => !["land", "held", "resume"].includes(next.kind));
  const wait = ({ length }: readonly Taken[]) => (length === 1 ? "waits" : "wait");
  const [land, held, resume] = [those("land"), those("held"), those("resume")];
  return [
    ...line(land, `${wait(land)} for koryph land`, ""),
    ...line(held, wait(held), `; ${held[0]?.next.text}`),
    ...line(resume, "queued", "; koryph run --resume goes on"),
    ...line(rest, `${wait(rest)} for a person`, "; koryph status --frontier tells what brings each on"),
  ];
}

function line(taken: readonly Taken[], what: string, then: string): string[] {
  if (taken.length === 0) return [];
  const named = taken.slice(0, MOST_NAMED).map(({ bead }) => bead);
  const more = taken.length > MOST_NAMED ? ` and ${taken.length - MOST_NAMED} more` : "";
  return [`  from earlier runs: ${taken.length} ${what}: ${named.join(", ")}${more}${then}`];
}
