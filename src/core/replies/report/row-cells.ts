import type { ReportRow } from "../../run/plan/run-report.js";
import { statusWord } from "../beads/status-word.js";
import { flagTexts } from "../land/work-flags.js";
import { shownCode, shownCodes, shownSentence, shownText } from "../markdown.js";
import { degradedReview } from "../run/slot-reason.js";
import { taskText } from "../run/task-text.js";

const SHOWN_TOKENS = 4;

/** What is done to a bead just now, or what became of it. */
export function rowState(row: Pick<ReportRow, "status" | "stopping" | "task" | "tries">): string {
  switch (row.status) {
    case "dispatching":
      return "starting";
    case "running":
      return row.stopping ? "stopping" : taskText(row);
    case "ended":
    case "passed":
    case "refused":
      return "checking";
    case "pr-opened":
      return "pull request open";
    default:
      return statusWord(row.status);
  }
}

const MARKS: Readonly<Partial<Record<ReportRow["status"], string>>> = {
  merged: "✅",
  "merge-pending": "✅",
  "pr-opened": "✅",
  blocked: "🟠",
  conflict: "🟠",
  queued: "⏳",
};

/** Whether a state is good news, bad news, or neither yet. */
export function stateMood(status: ReportRow["status"]): "good" | "warn" | "plain" {
  const mark = MARKS[status];
  return mark === "✅" ? "good" : mark === "🟠" ? "warn" : "plain";
}

export const ROW_HEAD = ["Bead", "Title", "Footprint", "Model", "State", "Attempts", "Cost", "Pull request"];

/** The cells of a row as markdown. */
export function rowCells(row: ReportRow): string[] {
  const { bead, title, footprint, model, tries, pull, status, note } = row;
  const why =
    note !== "" && (status === "blocked" || status === "conflict") ? `: ${shownSentence(note, 160)}` : "";
  const more = [degradedReview(row), ...flagTexts(row)].filter((text) => text !== "");
  return [
    shownCode(bead, 128),
    shownText(title, 60),
    shownCodes([...footprint.writes, ...footprint.reads], SHOWN_TOKENS),
    shownCode(model),
    `${MARKS[status] ?? "▶️"} ${rowState(row)}${why}${more.map((text) => `; ${shownSentence(text, 160)}`).join("")}`,
    `${tries}`,
    costText(row).replace("$", "&#36;"),
    pull === null ? "" : `[&#35;${pull.number}](${webAddress(pull.url)})`,
  ];
}

/** Empty where nobody knows. */
export function costText({ costUsd, costKnown }: Pick<ReportRow, "costUsd" | "costKnown">): string {
  return costUsd === 0 && !costKnown ? "" : `${costKnown ? "" : "about "}$${costUsd.toFixed(2)}`;
}

/** Addresses come from GitHub through the ledger, where others can write; empty for one that could leave the link. */
export function webAddress(url: string): string {
  return /^https?:\/\/[^\s<>()[\]|\\]+$/.test(url) ? url : "";
}
