import type { PullStanding } from "../../../control/pull-standing.js";
import { type ReplyRow, rowOf } from "../../commands/reply-row.js";
import { carriedText } from "./carried-text.js";
import { standingJson, standingNext, standingSentence, standingTable } from "./standing-text.js";

const LOOKING = "looking";

/** The row of a question that is answered a moment later; nothing else comes of it, so it counts as done. */
export function lookingRow(text: string): ReplyRow {
  return {
    ...rowOf(text),
    code: LOOKING,
    said: "koryph looks, and answers here in a moment",
  };
}

export function isLooking({ code }: Pick<ReplyRow, "code">): boolean {
  return code === LOOKING;
}

/** The answer to `/koryph why` on a pull request, in markdown. `url` is the repository's on GitHub. */
export function standingReply(standing: PullStanding, url: string) {
  return {
    kind: "said" as const,
    said: standingSentence(standing, url),
    next: standingNext(standing),
    more: [standingTable(standing), carriedText(standing, url), standingJson(standing)]
      .filter((part) => part !== "")
      .join("\n\n"),
  };
}
