import { referencesOf } from "./issue-bead.js";
import { hasLabel } from "./issue-labels.js";
import type { IssueRecord } from "./issue-record.js";

/** What of a repository's issues is the project's work. */
export interface ChosenIssues {
  /** By number, in rising order. */
  readonly issues: readonly IssueRecord[];
  /** Numbers that are named as blockers or epics, and of which nothing is known. */
  readonly unknown: readonly number[];
}

/**
 * Issues with the release label, and those that these wait for or are parts of: the rest of a repository's issues is
 * people's talk.
 */
export function chooseBeads(
  known: ReadonlyMap<number, IssueRecord>,
  { repository, label }: { readonly repository: string; readonly label: string },
): ChosenIssues {
  const chosen = new Set<number>();
  const unknown = new Set<number>();
  const pending = [...known.values()].filter(({ isPull, labels }) => !isPull && hasLabel(labels, label));
  for (let issue = pending.pop(); issue !== undefined; issue = pending.pop()) {
    if (chosen.has(issue.number)) continue;
    chosen.add(issue.number);
    if (issue.isClosed || issue.isPull) continue;
    for (const number of referencesOf(issue, repository)) {
      const found = known.get(number);
      if (found === undefined) unknown.add(number);
      else pending.push(found);
    }
  }
  const numbers = [...chosen].sort((a, b) => a - b);
  return {
    issues: numbers.flatMap((number) => known.get(number) ?? []),
    unknown: [...unknown].sort((a, b) => a - b),
  };
}
