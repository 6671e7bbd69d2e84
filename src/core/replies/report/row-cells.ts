import type { ReportRow } from "../../run/plan/run-report.js";
import { statusWord } from "../beads/status-word.js";
import { shownCode, shownCodes, shownText } from "../markdown.js";
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

export const ROW_HEAD = ["Bead", "Title", "Footprint", "Model", "State", "Attempts", "Cost", "Pull request"];

/** The cells of a row as markdown. */
export function rowCells(row: ReportRow): string[] {
  const { bead, title, footprint, model, tries, costUsd, costKnown, pull, status, note } = row;
  const why =
    note !== "" && (status === "blocked" || status === "conflict") ? `: ${shownText(note, 160)}` : "";
  const degraded = degradedReview(row);
  return [
    shownCode(bead, 128),
    shownText(title, 60),
    shownCodes([...footprint.writes, ...footprint.reads], SHOWN_TOKENS),
    shownCode(model),
    `${MARKS[status] ?? "▶️"} ${rowState(row)}${why}${degraded === "" ? "" : `; ${shownText(degraded, 160)}`}`,
    `${tries}`,
    costUsd === 0 && !costKnown ? "" : `${costKnown ? "" : "about "}&#36;${costUsd.toFixed(2)}`,
    pull === null ? "" : `[&#35;${pull.number}](${linkTarget(pull.url)})`,
  ];
}

/** Addresses come from GitHub through the ledger, where others can write: what could leave the link is encoded. */
function linkTarget(url: string): string {
  return /^https?:\/\/[^\s<>()[\]|\\]+$/.test(url) ? url : "";
}
