import { type Bead, type BeadId, beadOfIssue, parseBeadId } from "../model/bead.js";
import type { ReleaseVerdict } from "../model/release.js";
import { grammarLabels, hasLabel, priorityOf, STATE_LABELS, typeOf } from "./issue-labels.js";
import type { IssueRecord, IssueReference } from "./issue-record.js";
import { readBlockers } from "./read-blockers.js";
import { readCriteria } from "./read-criteria.js";
import { visibleLines } from "./visible-lines.js";

export interface IssueBeadFacts {
  /** `owner/name` of the repository. */
  readonly repository: string;
  /** In whose name koryph takes its beads. */
  readonly claimant: string;
  readonly release: ReleaseVerdict;
}

/** The work that an issue asks for. Text that nobody released is left out: it must not reach an agent. */
export function issueBead(issue: IssueRecord, { repository, claimant, release }: IssueBeadFacts): Bead {
  const { number, labels } = issue;
  const taken =
    hasLabel(labels, STATE_LABELS.inProgress) || hasLabel(labels, STATE_LABELS.blocked) ? claimant : "";
  const lines = visibleLines(issue.body);
  const text = release.kind === "released" ? readCriteria(lines) : { description: "", acceptance: "" };
  return {
    id: beadOfIssue(number),
    title: issue.title.trim() === "" ? `#${number}` : issue.title,
    ...text,
    status: statusOf(issue, taken !== ""),
    assignee: issue.isClosed ? "" : taken,
    priority: priorityOf(labels),
    type: issue.isPull ? "merge-request" : typeOf(issue),
    labels: grammarLabels(labels),
    parent: issue.parent === null || issue.parent === number ? null : beadOfIssue(issue.parent),
    blockers: blockersOf(issue, [...issue.blockedBy, ...readBlockers(lines, repository)]),
    release,
  };
}

function statusOf({ isClosed, isPull }: IssueRecord, isTaken: boolean): string {
  if (isClosed) return "closed";
  // Others may wait for it, and nobody is to begin it.
  if (isPull) return "in_review";
  return isTaken ? "in_progress" : "open";
}

/** The text that a release is bound to, in a form that cannot be two texts. */
export function releasedText({ title, body }: Pick<IssueRecord, "title" | "body">): string {
  const { acceptance } = readCriteria(visibleLines(body));
  return JSON.stringify([title, body, acceptance]);
}

/** Issues of this repository that a bead waits for or is a part of. */
export function referencesOf(issue: IssueRecord, repository: string): number[] {
  const named = [...issue.blockedBy, ...readBlockers(visibleLines(issue.body), repository)];
  const here = named.flatMap((each) => (each.repository === null ? [each.number] : []));
  const all = issue.parent === null ? here : [...here, issue.parent];
  return [...new Set(all)].filter((number) => number !== issue.number);
}

function blockersOf({ number }: IssueRecord, named: readonly IssueReference[]): BeadId[] {
  const ids = named.flatMap((each) => {
    if (each.repository === null) return each.number === number ? [] : [beadOfIssue(each.number)];
    // No bead of this project, so it is waited for until GitHub no longer names it.
    return parseBeadId(`${each.repository.replace("/", ".")}-${each.number}`) ?? [];
  });
  return [...new Set(ids)];
}
