import type { ControlAnswer, PullOnRecord } from "../../control/answer-question.js";
import type { ControlDecision, ControlRefused, SilentSince } from "../../control/control-decision.js";
import { statusWord } from "../beads/status-word.js";
import { type ReplyRow, refusedRow, rowOf } from "../commands/reply-row.js";
import { shownCode } from "../markdown.js";
import { statusText } from "../run/status.js";
import { alreadySentence, changeSentence, refusalWords, silentSentence } from "./control-sentences.js";
import { COMMENT_STYLE, shownClock } from "./style.js";
import { whyMore, whySentence, whyTable } from "./why.js";

/** What came of a command in a comment, in markdown. */
export function decisionRow(text: string, decision: ControlDecision): ReplyRow {
  switch (decision.kind) {
    case "append":
      return {
        ...rowOf(text),
        result: decision.done ? "done" : "queued",
        said: withSilence(changeSentence(decision.change, COMMENT_STYLE), decision.silent),
      };
    case "already":
      return {
        ...rowOf(text),
        said: withSilence(alreadySentence(decision.found, COMMENT_STYLE), decision.silent),
      };
    case "refuse":
      return refusalRow(text, decision);
  }
}

/** The same for a command that is only tried out. */
export function dryRunRow(row: ReplyRow): ReplyRow {
  return { ...row, result: "dry-run", said: `would be done: ${row.said}` };
}

export function answerRow(text: string, answer: ControlAnswer | ControlRefused, project: string): ReplyRow {
  switch (answer.kind) {
    case "status":
      return {
        ...rowOf(text),
        said: withSilence(statusSentence(answer), answer.silent),
        more: [
          ...(answer.pull === null || answer.pull.unmet.length === 0
            ? []
            : [whyTable(answer.pull.unmet), ""]),
          fenced(statusText(answer.state, project, null)),
        ].join("\n"),
      };
    case "why":
      return { ...rowOf(text), said: whySentence(answer), more: whyMore(answer) };
    case "refuse":
      return refusalRow(text, answer);
  }
}

/** An answer that goes by what an engine shared then; null for one that needs no age. */
export function agedRow(row: ReplyRow, asOf: number | null, now: number): ReplyRow {
  return asOf === null ? row : { ...row, said: `${row.said}, as of ${shownClock(asOf, now)}` };
}

function refusalRow(text: string, { refusal }: ControlRefused): ReplyRow {
  return refusedRow(text, { code: refusal.code, ...refusalWords(refusal, COMMENT_STYLE) });
}

function statusSentence({ shown, notTaken, pull }: Extract<ControlAnswer, { kind: "status" }>): string {
  if (pull !== null) return pullSentence(pull);
  if (notTaken !== null)
    return `no run has taken ${shownCode(notTaken)} yet, so this is how the project stands`;
  return shown === null ? "how the project stands" : `how ${shownCode(shown)} stands`;
}

/** What the ledger knows of a pull request; approvals, checks and rules are for `/koryph why` to ask about. */
function pullSentence({ number, bead, slot, unmet }: PullOnRecord): string {
  const lead = `pull request ${number} is of`;
  const more = `(${shownCode("/koryph why")} looks at approvals, checks and rules, too)`;
  if (bead === null) return `${lead} no bead that a run has taken ${more}; this is how the project stands`;
  if (slot === null)
    return `${lead} ${shownCode(bead)}, which no run has taken ${more}; this is how the project stands`;
  if (slot.status === "merged" && unmet.length === 0)
    return `${lead} ${shownCode(bead)}, which has landed${slot.landed === null ? "" : ` as ${shownCode(slot.landed)}`}`;
  const count = `${unmet.length} ${unmet.length === 1 ? "thing keeps" : "things keep"} it from landing`;
  return `${lead} ${shownCode(bead)}, which is ${shownCode(statusWord(slot.status))} ${more}; as far as the ledger knows, ${count}`;
}

function withSilence(said: string, silent: SilentSince): string {
  return silent === null ? said : `${said}. ${silentSentence(silent, COMMENT_STYLE)}`;
}

/** Text from outside in a block of its own: a fence longer than any in it cannot be left. */
function fenced(lines: readonly string[]): string {
  const text = lines.join("\n");
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
