import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import type { JobRefusal } from "../../jobs/decide-job.js";
import type { SignatureFault } from "../../jobs/keep-signatures.js";

const AGAIN = "ask for it again on the pull request, with the same command";

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
    hint: "somebody with the triage role can ask for a review, and somebody with write access for a landing",
  },
  not_open: { message: "the pull request is not open any more", hint: "there is nothing left to do" },
  head_moved: { message: "the pull request has another head since", hint: AGAIN },
  base_moved: { message: "the base branch has moved since", hint: AGAIN },
  gate_changed: {
    message: "the gate of this checkout runs other commands than the App had in mind",
    hint: "the project file on the default branch changed meanwhile: ask for it again on the pull request",
  },
  not_approved: {
    message: "these are a fork's commits, and nobody has approved exactly this head",
    hint: "a gate runs what they bring: somebody with write access looks at them and types `/koryph approve`",
  },
  claimed: { message: "another runner has taken this job", hint: "there is nothing left to do here" },
};

/** Why a runner does not do what it was started for. */
export const jobAdvice = {
  refused: (code: JobRefusal): Advice => {
    const { message, hint } = REFUSALS[code];
    return { message: `${message} (${code})`, hint };
  },
  keyBeside: (kind: string): Advice => ({
    message: `a job of the kind ${kind} was given a signing key`,
    hint: "give `signing-key` to the job `rebase` alone, as docs/action.md shows: a key never lies beside agents or a gate",
  }),
  gateRed: (command: string): Advice => ({
    message: `the gate is red: ${plainText(command)}`,
    hint: "its output is above; mend it, have the new head approved, and ask for the landing again",
  }),
  noKey: (): Advice => ({
    message: "a job of the kind rebase needs `signing-key`",
    hint: "put the key into a secret of the environment that only this job has, as docs/action.md shows",
  }),
  failed: (code: string, detail: string): Advice => ({
    message: `the job did not come to its end (${code})${detail === "" ? "" : `: ${plainText(detail)}`}`,
    hint: AGAIN,
  }),
};

/** Why a runner cannot do what was asked, and why the App does not take what one has left for it. */
export const jobFaults = {
  foreignSignature: (): string =>
    "one of the commits has a signature that is not by a signer of the base branch, and a replay would lose it",
  conflict: (files: readonly string[]): string =>
    `replaying the commits conflicts in ${files.map((file) => plainText(file)).join(", ")}`,
  merges: (): string => "there are merges among the commits, which a replay would drop",
  dropped: (): string => "the base branch has one of the commits already, so there are fewer than before",
  notPushed: (why: string): string => `the job's own ref could not be written${why === "" ? "" : `: ${why}`}`,
  nothing: (): string => "it left nothing, although its run ended with success",
  otherBase: (): string => "its commits do not follow the base branch as it is",
  otherWork: (): string => "a commit has another tree, author or message, or there are others",
  signature: (fault: SignatureFault): string => {
    switch (fault.kind) {
      case "other-commits":
        return "there are more or fewer commits than before, or one whose signature cannot be judged";
      case "lost":
        return `${fault.sha.slice(0, 12)} was signed before, and has no good signature by a signer of the base branch now`;
      case "gained":
        return `${fault.sha.slice(0, 12)} was not signed before, and is now`;
    }
  },
};

export const jobLines = {
  gateGreen: (pull: number, head: string): string =>
    `the gate is green on ${head.slice(0, 12)}, the head of pull request ${pull}`,
  rebased: (pull: number, head: string, signed: number): string =>
    `koryph replayed pull request ${pull} as ${head.slice(0, 12)}, with ${signed} ${signed === 1 ? "signature" : "signatures"}; the App takes it from here`,
  done: (pull: number, head: string, verdict: string, findings: number): string =>
    `koryph read pull request ${pull} at ${head.slice(0, 12)}: ${verdict}, ${findings} ${findings === 1 ? "finding" : "findings"}`,
};
