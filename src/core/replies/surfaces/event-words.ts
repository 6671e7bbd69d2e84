import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import { type EventProblem, WORKFLOW_EVENTS } from "../../config/workflow-event.js";

const EVENTS = Object.keys(WORKFLOW_EVENTS).join(", ");

/** Why an event is not answered. */
export const eventAdvice = {
  wrong: (problem: EventProblem): Advice => {
    switch (problem.kind) {
      case "unknown":
        return {
          message: `koryph answers no ${plainText(problem.name)} events`,
          hint: `start the workflow by ${EVENTS}, as docs/action.md shows; pull_request and pull_request_review run files of the pull request itself`,
        };
      case "not-json":
      case "no-event":
        return {
          message: `the file that GITHUB_EVENT_PATH names is no event of GitHub's: ${plainText(problem.problem)}`,
          hint: "the runner writes it; let no step before this one change it",
        };
      case "other-repository":
        return {
          message: `the event is of ${plainText(problem.found)}, and this run of ${plainText(problem.own)}`,
          hint: "let no step before this one change the event's file",
        };
    }
  },
  noFile: (path: string): Advice => ({
    message: `the event's file ${JSON.stringify(path)} cannot be read`,
    hint: "the runner writes it before the first step; let no step remove it",
  }),
  personalToken: (login: string): Advice => ({
    message: `the input token is of ${plainText(login)}, a person: koryph would speak in their name, and answer itself`,
    hint: "give it github.token, or the token of a GitHub App's installation",
  }),
  refused: (said: string, next: string): Advice => ({ message: plainText(said), hint: plainText(next) }),
  unfinished: (jobs: readonly string[]): Advice => ({
    message: `koryph could not finish: ${jobs.map((job) => plainText(job)).join("; ")}`,
    hint: "run the job again, or leave it to the schedule: nothing is done twice",
  }),
};

export const eventLines = {
  nothing: (): string => "nothing in this event asks anything of koryph",
  end: (answered: number): string =>
    answered === 0
      ? "koryph has looked at this event"
      : `koryph answered ${answered} ${answered === 1 ? "comment" : "comments"}`,
  waits: (pull: number): string =>
    `pull request ${pull} waits to land, for what its check run koryph / landing names; the next event goes on with it, or the schedule`,
};
