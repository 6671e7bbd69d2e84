import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import type { JobRefusal } from "../../jobs/decide-job.js";

const AGAIN = "ask for it again on the pull request, with `/koryph review`";

const REFUSALS: Readonly<Record<JobRefusal, Advice>> = {
  not_dispatched: {
    message:
      "this run was not started by the App that `jobs.app` names, on the default branch and for the first time",
    hint: "jobs are asked for on pull requests, and never started by hand",
  },
  unknown_job: {
    message: "the ledger has no such job",
    hint: "the input `job` must be what the App gave the workflow; the ledger forgets jobs after a hundred others",
  },
  inputs_differ: {
    message: "kind, head or base are others than the ledger has for this job",
    hint: "hand on the workflow's own inputs, as docs/action.md shows",
  },
  evidence_gone: {
    message: "GitHub does not show the comment that asked for this job as it was",
    hint: AGAIN,
  },
  not_permitted: {
    message: "whoever asked for this job may not ask for it now",
    hint: "somebody with the triage role can",
  },
  not_open: { message: "the pull request is not open any more", hint: "there is nothing left to do" },
  head_moved: { message: "the pull request has another head since", hint: AGAIN },
  base_moved: { message: "the base branch has moved since", hint: AGAIN },
  claimed: { message: "another runner has taken this job", hint: "there is nothing left to do here" },
};

/** Why a runner does not do what it was started for. */
export const jobAdvice = {
  refused: (code: JobRefusal): Advice => {
    const { message, hint } = REFUSALS[code];
    return { message: `${message} (${code})`, hint };
  },
  missing: (names: readonly string[]): Advice => ({
    message: `mode job needs ${names.join(", ")}`,
    hint: "docs/action.md shows the workflow; inputs come from the App, the rest from the runner",
  }),
  failed: (code: string, detail: string): Advice => ({
    message: `the job did not come to its end (${code})${detail === "" ? "" : `: ${plainText(detail)}`}`,
    hint: AGAIN,
  }),
};

export const jobLines = {
  done: (pull: number, head: string, verdict: string, findings: number): string =>
    `koryph read pull request ${pull} at ${head.slice(0, 12)}: ${verdict}, ${findings} ${findings === 1 ? "finding" : "findings"}`,
};
