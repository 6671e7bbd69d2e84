import type { VisibleLine } from "./visible-lines.js";

const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
/** What the heading above the criteria is called. */
const CRITERIA = /^(acceptance( criteria)?|definition of done)\s*:?$/i;
const TASK = /^\s*(?:[-*+]|\d+[.)])\s+\[[ xX]\]\s+\S/;
/** What a form writes where nothing was filled in. */
const NOTHING = "_No response_";

export interface IssueText {
  readonly description: string;
  /** One criterion a line; empty when there is none. */
  readonly acceptance: string;
}

/**
 * Tells the acceptance criteria from the rest: what stands below their heading, up to the next one that is not below
 * it; without such a heading the task list, which then stays where it is.
 */
export function readCriteria(lines: readonly VisibleLine[]): IssueText {
  const start = lines.findIndex(
    (line) => !line.code && CRITERIA.test(plain(HEADING.exec(line.text)?.[2] ?? "")),
  );
  if (start === -1) {
    const tasks = lines.filter(({ code, text }) => !code && TASK.test(text));
    return { description: joined(lines), acceptance: joined(tasks) };
  }
  const depth = depthOf(lines[start]);
  const length = lines.slice(start + 1).findIndex((line) => depthOf(line) > 0 && depthOf(line) <= depth);
  const end = length === -1 ? lines.length : start + 1 + length;
  const criteria = lines.slice(start + 1, end).filter(({ text }) => text.trim() !== NOTHING);
  return {
    description: joined([...lines.slice(0, start), ...lines.slice(end)]),
    acceptance: joined(criteria.filter(({ text }) => text.trim() !== "")),
  };
}

/** 0 for a line that is no heading. */
function depthOf(line: VisibleLine | undefined): number {
  if (line === undefined || line.code) return 0;
  return HEADING.exec(line.text)?.[1]?.length ?? 0;
}

function plain(heading: string): string {
  return heading.replace(/[*_`]/g, "").trim();
}

function joined(lines: readonly VisibleLine[]): string {
  return lines
    .map(({ text }) => text.trimEnd())
    .join("\n")
    .trim();
}
