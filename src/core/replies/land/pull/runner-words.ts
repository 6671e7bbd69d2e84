import type { PullReasonCode, RunnerTask } from "../../../land/pull/pull-refusal.js";
import { quote } from "../quote.js";
import type { ReasonWords } from "./reason-words.js";

const TASKS: Readonly<Record<RunnerTask, string>> = {
  gate: "run the gate on this head",
  rebase: "replay the commits on the base branch and sign them",
};

function runAt(url: string | null): string {
  return url === null ? "" : `: ${url}`;
}

type RunnerReason = Extract<PullReasonCode, `runner_${string}` | "other_app">;

/** What runners have to do with a landing that waits, or is refused. */
export const RUNNER_WORDS: { readonly [C in RunnerReason]: ReasonWords<C> } = {
  runner_asked: ({ job, url }) => ({
    found: `a runner was asked to ${TASKS[job]}${runAt(url)}`,
    need: "the end of its run",
    next: "",
  }),
  runner_refused: ({ workflow, status }, { land }) => ({
    found: `GitHub does not start ${quote(workflow)} (${status})`,
    need: "that workflow on the default branch, with workflow_dispatch and the inputs of docs/action.md, and actions: write for the App",
    next: `put it there, then ${land()}`,
  }),
  runner_failed: ({ job, url }, { land }) => ({
    found: `the runner that was asked to ${TASKS[job]} did not end with success${runAt(url)}`,
    need: `a workflow job called ${job} that ends with success in that very run`,
    next: `its log says why; then ${land()}`,
  }),
  runner_silent: ({ job, url }, { land }) => ({
    found: `no runner did ${job} in its time, although it was asked twice${runAt(url)}`,
    need: "a runner that takes the job",
    next: `see whether there is one with the label that the workflow asks for, then ${land()}`,
  }),
  runner_differs: ({ why, url }, { land }) => ({
    found: `what the runner handed in is not what was approved: ${why}${runAt(url)}`,
    need: "the approved commits with the same tree, author and message, signed where they were before and nowhere else",
    next: `find out what happened on that runner, then ${land()}`,
  }),
  other_app: ({ named, own }, { land }) => ({
    found: `jobs.app names ${quote(named)}, and this App is ${quote(own)}: its runners would do nothing for it`,
    need: `"app": ${quote(own)} below jobs in koryph.project.json on the default branch`,
    next: `change it there, then ${land()}`,
  }),
};
