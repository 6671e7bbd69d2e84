import type { WhyAnswer } from "../../control/answer-question.js";
import { STATUS_FOOT, statusMarker } from "../land/pull/status-comment.js";
import { whySentence, whyTable } from "./why.js";

/** The one comment on an issue that says how its bead stands, in markdown. */
export function beadStatus(issue: number, answer: WhyAnswer): string {
  return [
    statusMarker(issue),
    `**koryph**: ${whySentence(answer)}.`,
    ...(answer.unmet.length === 0 ? [] : ["", whyTable(answer.unmet)]),
    "",
    STATUS_FOOT,
  ].join("\n");
}
