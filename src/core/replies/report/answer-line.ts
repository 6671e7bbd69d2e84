import { fitLines } from "../../../lib/fit/fit-lines.js";
import type { RunRequest } from "../../control/request-outcome.js";
import { isCarriedOut } from "../../control/request-outcome.js";
import { type ButtonName, RUN_BUTTONS } from "../../control/run-buttons.js";
import { CHECK_BYTES } from "../../review/pull/limits.js";
import { shownClock } from "../control/style.js";
import { shownCode, shownSentence, shownText } from "../markdown.js";

/** One request to a run, as its check run shows it: who asked, when, and what came of it. */
export function answerLine({ verb, bead, actor, at, came }: RunRequest, now: number): string {
  const clock = (time: string) => shownClock(Date.parse(time), now);
  const what = `${verb}${bead === null ? "" : ` of ${shownCode(bead, 128)}`}`;
  const asked = `${what} asked for by ${shownText(actor, 60)} at ${clock(at)}`;
  switch (came.kind) {
    case "refused":
      return `- ${asked}: refused (${shownCode(came.code)}): ${shownSentence(came.said, 200)}`;
    case "taken":
      return `- ${asked}: taken at ${clock(came.at)}`;
    case "answered": {
      const note = came.note === "" ? "" : `: ${shownSentence(came.note, 200)}`;
      return `- ${asked}: ${isCarriedOut(came) ? "taken" : "refused"} at ${clock(came.at)}${note}`;
    }
    default:
      return `- ${asked}`;
  }
}

/** What a check run that nobody else writes any more says, with one more line above the rest; once, however often told. */
export function withAnswer(summary: string, line: string): string {
  if (summary.split("\n").includes(line)) return summary;
  const lines = [line, ...(summary.startsWith("- ") ? [] : [""]), ...summary.split("\n")];
  return fitLines(lines, { bytes: CHECK_BYTES, note: () => "\n…" }).text;
}

/** Buttons as GitHub takes them. */
export function shownButtons(names: readonly ButtonName[]) {
  return names.map((identifier) => {
    const { label, description } = RUN_BUTTONS[identifier];
    return { identifier, label, description };
  });
}
