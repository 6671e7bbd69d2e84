import type { WhyAnswer } from "../../control/answer-question.js";
import type { Unmet } from "../../control/unmet-conditions.js";
import { STATUS_FOOT, statusMarker } from "../land/pull/status-comment.js";
import { shownSentence } from "../markdown.js";
import { whySentence, whyTable } from "./why.js";

/** The one comment on an issue that says how its bead stands, in markdown. */
export function beadStatus(issue: number, answer: WhyAnswer): string {
  const wanted = personWanted(answer.unmet);
  return [
    statusMarker(issue),
    `**koryph**: ${whySentence(answer)}.${wanted === null ? "" : ` @${wanted}, this waits for a person.`}`,
    ...(answer.unmet.length === 0 ? [] : ["", whyTable(answer.unmet)]),
    "",
    STATUS_FOOT,
  ].join("\n");
}

/** The same comment once the bead is closed. */
export function closedStatus(issue: number, reason: string): string {
  return [statusMarker(issue), `**koryph**: ${shownSentence(reason, 300)}.`, "", STATUS_FOOT].join("\n");
}

/** What goes on only when somebody does something. */
const FOR_PEOPLE: ReadonlySet<Unmet["code"]> = new Set(["pr_opened", "merge_pending", "blocked", "conflict"]);

/** Who released the bead, where it waits for people; else null. Nobody else asked for it. */
function personWanted(unmet: readonly Unmet[]): string | null {
  const found = unmet.find(({ code }) => FOR_PEOPLE.has(code));
  const by = found !== undefined && "slot" in found ? found.slot.release?.by : undefined;
  return by !== undefined && /^[A-Za-z0-9][A-Za-z0-9-]{0,38}$/.test(by) ? by : null;
}
