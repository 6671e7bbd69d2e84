import type { ControlAnswer } from "../../control/answer-question.js";
import type { ControlDecision, ControlRefused, SilentSince } from "../../control/control-decision.js";
import { type ReplyRow, refusedRow, rowOf } from "../commands/reply-row.js";
import { shownCode } from "../markdown.js";
import { statusText } from "../run/status.js";
import { alreadySentence, changeSentence, refusalWords, silentSentence } from "./control-sentences.js";
import { COMMENT_STYLE, shownClock } from "./style.js";
import { whyMore, whySentence } from "./why.js";

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
        more: fenced(statusText(answer.state, project, null)),
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

function statusSentence({ shown, notTaken }: Extract<ControlAnswer, { kind: "status" }>): string {
  if (notTaken !== null)
    return `no run has taken ${shownCode(notTaken)} yet, so this is how the project stands`;
  return shown === null ? "how the project stands" : `how ${shownCode(shown)} stands`;
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
