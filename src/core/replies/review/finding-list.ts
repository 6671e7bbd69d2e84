import { byteLength } from "../../../lib/fit/cut-bytes.js";
import { fitLines } from "../../../lib/fit/fit-lines.js";
import { type Finding, SEVERITIES } from "../../review/verdict.js";
import { shownCode, shownText } from "../markdown.js";

const SUMMARY_CHARACTERS = 1_500;
const PATH_CHARACTERS = 300;

export interface FittedFindings {
  readonly text: string;
  /** How many of them are in the text, in whichever form: the first ones. */
  readonly listed: number;
  /** How many of them are in it with their words. */
  readonly worded: number;
}

/**
 * Findings as a markdown list of at most so many bytes. Those that do not fit with their words are listed by place alone,
 * and those that do not even fit so are counted.
 */
export function findingList(findings: readonly Finding[], bytes: number): FittedFindings {
  const long = findings.map(findingItem);
  const short = findings.map(shortItem);
  const sizes = (items: readonly string[]) => items.map((item) => byteLength(item) + 1);
  const [longSizes, shortSizes] = [sizes(long), sizes(short)];
  let used = shortSizes.reduce((sum, size) => sum + size, 0);
  let worded = 0;
  for (const [at, size] of longSizes.entries()) {
    const grown = used + size - (shortSizes[at] ?? 0);
    if (grown > bytes) break;
    used = grown;
    worded = at + 1;
  }
  const items = [...long.slice(0, worded), ...short.slice(worded)];
  const note = (kept: number) => `- … and ${countBySeverity(findings.slice(kept))}`;
  const { text, kept } = fitLines(items, { bytes, note });
  return { text, listed: kept, worded: Math.min(worded, kept) };
}

/** In portions that a list of so many bytes holds with all their words, in their order; `extra` goes with each. */
export function findingPortions<T extends { readonly finding: Finding }>(
  items: readonly T[],
  { bytes, extra }: { readonly bytes: number; readonly extra: number },
): T[][] {
  const portions: T[][] = [];
  let used = bytes;
  for (const item of items) {
    const size = byteLength(findingItem(item.finding)) + 1 + extra;
    if (used + size > bytes) {
      portions.push([]);
      used = 0;
    }
    portions.at(-1)?.push(item);
    used += size;
  }
  return portions;
}

/** `2 blocking, 1 minor`; empty for none. */
export function countBySeverity(findings: readonly Finding[]): string {
  return SEVERITIES.map((severity) => ({
    severity,
    count: findings.filter((each) => each.severity === severity).length,
  }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => `${count} ${severity}`)
    .join(", ");
}

function findingItem(finding: Finding): string {
  const { severity, summary } = finding;
  return `- **${severity}**${placeOfFinding(finding)}: ${shownText(summary, SUMMARY_CHARACTERS) || "(no words)"}`;
}

function shortItem(finding: Finding): string {
  return `- ${finding.severity}${placeOfFinding(finding)}`;
}

function placeOfFinding({ file, line }: Finding): string {
  if (file === "") return "";
  return ` ${shownCode(line === null ? file : `${file}:${line}`, PATH_CHARACTERS)}`;
}
