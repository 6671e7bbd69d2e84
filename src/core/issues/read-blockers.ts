import type { IssueReference } from "./issue-record.js";
import type { VisibleLine } from "./visible-lines.js";

const BLOCKED_BY = /^\s*(?:[-*+]\s+)?[*_]*blocked by[*_]*\s*:?[*_]*\s*(.+)$/i;
const REFERENCE = /(?:([\w-]+\/[\w.-]+))?#([1-9]\d{0,14})\b/g;

/** What the lines that begin with `Blocked by` name: `#12`, `#12 and #13`, `owner/name#14`. */
export function readBlockers(lines: readonly VisibleLine[], own: string): IssueReference[] {
  return lines.flatMap(({ text, code }) => {
    const [, named = ""] = (code ? null : BLOCKED_BY.exec(text)) ?? [];
    return [...named.matchAll(REFERENCE)].map(([, repository, digits]) => ({
      repository: repository === undefined || isSame(repository, own) ? null : repository,
      number: Number(digits),
    }));
  });
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
