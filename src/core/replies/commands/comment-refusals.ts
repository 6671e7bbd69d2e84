import type { Verb } from "../../commands/command.js";
import { THREAD_CAP, USER_CAP } from "../../commands/rate.js";
import type { ProjectReading } from "../../config/read-project.js";
import { shownCode, shownText } from "../markdown.js";
import type { Refused } from "./reply-row.js";

/** Why a comment's command is not carried out, whatever the ledger says: what was found, and what to do next. */
export const commentRefusals = {
  notPermitted: (verb: Verb, needed: string, current: string): Refused =>
    refused(
      "not_permitted",
      `${shownCode(verb)} takes the ${shownCode(needed)} role here, and yours is ${shownCode(current)}`,
      "ask somebody who has it; for an hour I answer more of these with 👎 alone",
    ),
  botVerb: (verb: Verb): Refused =>
    refused(
      "not_permitted",
      `this app may not use ${shownCode(verb)}`,
      `${shownCode("commands.bots")} in koryph.project.json on the default branch lists what it may`,
    ),
  noProject: (): Refused =>
    refused(
      "no_project",
      `there is no ${shownCode("koryph.project.json")} on the default branch`,
      `${shownCode("koryph init")} in a checkout makes one`,
    ),
  badProject: (why: string): Refused =>
    refused(
      "bad_project",
      `${shownCode("koryph.project.json")} on the default branch cannot be used: ${shownText(why, 300)}`,
      `${shownCode("koryph validate")} in a checkout tells more`,
    ),
  tooOld: (floor: string, version: string): Refused =>
    refused(
      "engine_too_old",
      `this project asks for koryph ${shownCode(floor)}, and this server runs ${shownCode(version)}`,
      "whoever runs it has to bring in that version",
    ),
  readOnly: (message: string): Refused =>
    refused("ledger_refused", shownText(message, 300), "whoever runs koryph has to update it"),
  /** The advice that goes with it names folders of the server, which are nobody's business here. */
  ledger: (message: string): Refused =>
    refused("ledger_refused", shownText(message, 300), "whoever runs koryph finds the way out in its log"),
  edited: (): Refused =>
    refused(
      "comment_edited",
      "the comment was edited before I got to it, so nothing was done",
      "write a new comment: only what stands in a comment when it is written counts",
    ),
  deleted: (): Refused =>
    refused("comment_deleted", "the comment was deleted before I got to it, so nothing was done", ""),
  eventTaken: (id: string): Refused =>
    refused(
      "event_taken",
      `the ledger has something else under the name of this request, ${shownCode(id)}, so it is not on record: whoever can push has put it there`,
      `${shownCode("koryph log")} shows it; send the command again in a new comment, which has another name`,
    ),
  forgotten: (): Refused =>
    refused(
      "forgotten",
      "nobody remembers whether this was done: more comments came since than are remembered, so it was not done now",
      "look whether it was done, and send it again in a new comment if it was not",
    ),
  afterFailure: (): Refused =>
    refused("skipped", "not done, because one before it failed", "send it again once that is put right"),
  /** Said once in a window; `until` is a time of day. */
  tooOften: (by: "person" | "thread", until: string): Refused =>
    refused(
      "too_often",
      by === "person"
        ? `nothing in this comment was done: a person may send ${USER_CAP.most} comments with commands in ${USER_CAP.windowMs / 60_000} minutes here, and I leave yours unanswered until then`
        : `nothing in this comment was done: this thread had ${THREAD_CAP.most} comments with commands in ${THREAD_CAP.windowMs / 60_000} minutes, and I leave more of them unanswered until then`,
      `send it again after ${until}`,
    ),
  tooMany: (most: number, left: number): Refused =>
    refused(
      "too_many",
      `${left} more ${left === 1 ? "command was" : "commands were"} not read: one comment holds ${most} at most`,
      "send the rest in another comment",
    ),
};

/** A project file that cannot be used, in one sentence. */
export function projectProblem(reading: Exclude<ProjectReading, { kind: "ok" }>): string {
  switch (reading.kind) {
    case "unreadable":
      return reading.problem;
    case "newer":
      return `its schema_version is ${reading.version}, which needs a newer koryph`;
    case "wrong": {
      const [first, ...others] = reading.problems;
      const rest = others.length > 0 ? `, and ${others.length} more` : "";
      return first === undefined ? "" : `${first.key} is ${first.found}, and must be ${first.need}${rest}`;
    }
  }
}

function refused(code: string, said: string, next: string): Refused {
  return { kind: "refuse", code, said, next };
}
