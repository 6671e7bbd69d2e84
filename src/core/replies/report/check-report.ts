import { fitLines } from "../../../lib/fit/fit-lines.js";
import { plainText } from "../../../lib/plain-text.js";
import type { RunRequest } from "../../control/request-outcome.js";
import { type ButtonName, usefulButtons } from "../../control/run-buttons.js";
import type { Place } from "../../land/find-places.js";
import type { Annotation } from "../../review/pull/analysis.js";
import { CHECK_BYTES } from "../../review/pull/limits.js";
import type { RunReport } from "../../run/plan/run-report.js";
import type { WaitedFor } from "../../run/plan/waited-for.js";
import { waitsLine } from "../govern/denial-text.js";
import { shownCode, shownText } from "../markdown.js";
import { answerLine } from "./answer-line.js";
import { countsLine, groupName, rowLines } from "./report-tables.js";

/** What a check run says; its conclusion is null while the run goes on, and never a failure. */
export interface CheckWords {
  readonly name: string;
  /** Those that it shows. */
  readonly beads: readonly string[];
  readonly title: string;
  readonly summary: string;
  readonly conclusion: "success" | "neutral" | null;
  /** Empty where nobody hears of them. */
  readonly buttons: readonly ButtonName[];
}

/** What a check run shows besides the run's own state. */
export interface CheckContext {
  /** Its App hears of buttons. */
  readonly heard: boolean;
  /** What people asked of the run. */
  readonly requests: readonly RunRequest[];
  /** What agents wait for on the machine. */
  readonly waits?: readonly WaitedFor[];
}

const ALONE: CheckContext = { heard: false, requests: [] };

/** Statuses that want nothing more of anybody here. */
const DONE: ReadonlySet<string> = new Set(["merged", "merge-pending", "pr-opened"]);

/** One check run for each wave; in rolling mode one for the run. */
export function checkReports(report: RunReport, context: CheckContext = ALONE): CheckWords[] {
  if (report.mode === "rolling")
    return [words(report, { ...context, name: "koryph / run", groups: report.groups, last: true })];
  const { length } = report.groups;
  return report.groups.map((rows, index) =>
    words(report, {
      ...context,
      ...{ name: `koryph / wave ${index + 1}`, groups: [rows], last: index === length - 1 },
    }),
  );
}

interface Part extends CheckContext {
  readonly name: string;
  readonly groups: RunReport["groups"];
  /** It goes on for as long as the run does; the others are over. */
  readonly last: boolean;
}

function words(report: RunReport, { name, groups, last, heard, requests, waits = [] }: Part): CheckWords {
  const rows = groups.flat();
  const over = !last || report.ended !== null;
  const conclusion = over ? (rows.every(({ status }) => DONE.has(status)) ? "success" : "neutral") : null;
  const stuck = report.groups.flat().some(({ status }) => status === "blocked" || status === "conflict");
  // Waves that are over leave the buttons to the one that goes on.
  const buttons = heard && last ? usefulButtons(over, stuck) : [];
  const asked = last ? askedLines(requests, report.now) : [];
  const waiting = over
    ? []
    : waits.slice(0, SHOWN_WAITS).flatMap((each) => [shownText(waitsLine(each), 300), ""]);
  const top = [headline(report, over), "", ...waiting, ...asked];
  return {
    name,
    title: countsLine(rows),
    summary: fitted([...top, ...tables(report, groups), "", ...steering({ over, stuck, buttons })]),
    buttons,
    beads: rows.map(({ bead }) => bead),
    conclusion,
  };
}

function headline({ run, ended }: RunReport, over: boolean): string {
  const state = !over ? "is under way" : ended === null ? "goes on with the next wave" : ended.reason;
  return `Run ${shownCode(run)}: ${shownText(state, 200)}.`;
}

function tables(report: RunReport, groups: RunReport["groups"]): string[] {
  if (groups.length <= 1) return rowLines(groups[0] ?? []);
  return groups.flatMap((rows, index) => [
    ...(index === 0 ? [] : [""]),
    `**${groupName(report, index)}**`,
    "",
    ...rowLines(rows),
  ]);
}

const SHOWN_WAITS = 10;
const SHOWN_REQUESTS = 20;

function askedLines(requests: readonly RunRequest[], now: number): string[] {
  const shown = requests.slice(-SHOWN_REQUESTS).map((request) => answerLine(request, now));
  return shown.length === 0 ? [] : [...shown, ""];
}

/** A workflow's token cannot offer buttons: the words to type instead. */
function steering({ over, stuck, buttons }: Pick<CheckWords, "buttons"> & Record<"over" | "stuck", boolean>) {
  if (!over)
    return [
      `To steer it, ${buttons.length > 0 ? "press a button of this check run, or " : ""}type a comment on any issue or pull request, where the koryph App is installed: \`/koryph drain\` starts nothing new, \`/koryph stop --run\` stops its agents. On a terminal: \`koryph drain\`, \`koryph stop --run\`.`,
    ];
  return !stuck
    ? []
    : [
        "To let what is blocked try again, type `/koryph retry <bead>` in a comment, or `koryph retry --all` on a terminal.",
      ];
}

function fitted(lines: readonly string[]): string {
  const note = (kept: number) =>
    `\n… and ${lines.length - kept} more lines; the job summary and \`koryph status\` have them all.`;
  return fitLines(lines, { bytes: CHECK_BYTES, note }).text;
}

const MOST_ANNOTATIONS = 50;

/** Places that a red gate complained about, for one bead. */
export function gateAnnotations(bead: string, places: readonly Place[]): Annotation[] {
  return places.slice(0, MOST_ANNOTATIONS).map(({ file, line, message }) => ({
    path: file,
    line,
    level: "warning",
    title: `${bead}: the gate is red`,
    message: plainText(message),
  }));
}

/** What becomes of a check run whose runner is gone. */
export const lostCheck = {
  title: "its runner is gone",
  summary:
    "The runner that wrote this was lost before it could say how the run ended. A later run has taken over what it left.",
};
