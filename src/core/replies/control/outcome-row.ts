import { isCarriedOut, type RequestOutcome } from "../../control/request-outcome.js";
import type { ReplyRow } from "../commands/reply-row.js";
import { carriedClause } from "../land/pull/carried-text.js";
import { shownCode, shownSentence } from "../markdown.js";
import { analysisRow } from "../review/analysis-replies.js";
import { shownClock } from "./style.js";

const LONGEST_NOTE = 300;
const LONGEST_REFUSAL = 900;

/** The row of a command that an engine has to act on, with what became of it. */
export function outcomeRow(row: ReplyRow, outcome: RequestOutcome, now: number): ReplyRow {
  const clock = (at: string) => shownClock(Date.parse(at), now);
  const saying = (sentence: string): ReplyRow => ({ ...row, said: `${row.said}. ${sentence}` });
  switch (outcome.kind) {
    case "lost":
    case "landing":
    case "analysing":
      return row;
    case "analysed":
    case "unanalysed":
      return analysisRow(row, outcome, clock(outcome.at));
    case "landed":
      return {
        ...row,
        result: "done",
        said: `${shownCode(outcome.head.slice(0, 12))} has landed, at ${clock(outcome.at)}${carriedClause(outcome.approved)}`,
      };
    case "unlanded": {
      const note = shownSentence(outcome.note, LONGEST_REFUSAL);
      const next = shownSentence(outcome.next, LONGEST_REFUSAL);
      return { ...row, result: "refused", code: outcome.code, said: `not landed: ${note}`, next };
    }
    case "unheard":
      return saying(`No engine has taken it yet, as of ${shownClock(now, now)}`);
    case "seen":
      return saying(`The engine has known of it since ${clock(outcome.at)}, and has not acted on it yet`);
    case "taken":
      return { ...saying(`The engine took it at ${clock(outcome.at)}`), result: "done" };
    case "answered": {
      const note = outcome.note === "" ? "" : `: ${shownSentence(outcome.note, LONGEST_NOTE)}`;
      if (isCarriedOut(outcome))
        return { ...saying(`The engine took it at ${clock(outcome.at)}${note}`), result: "done" };
      const code = outcome.code.replaceAll("-", "_");
      return { ...saying(`The engine refused it at ${clock(outcome.at)}${note}`), result: "refused", code };
    }
  }
}
