import type { EvidenceFinding } from "../land/pull/count-approvals.js";
import type { KnownJob } from "../run/ledger/ledger-state.js";
import { type ExpectedRun, isDispatchedByApp, type RunnerRun } from "./runner-run.js";

/** What a workflow was started with. */
export interface JobInputs {
  readonly job: string;
  readonly kind: string;
  readonly head: string;
  readonly base: string;
  readonly attempt: number;
}

export interface JobFacts {
  readonly inputs: JobInputs;
  /** The run that this process is part of, as GitHub shows it; null when it shows none. */
  readonly run: RunnerRun | null;
  readonly expected: ExpectedRun;
  /** The job of that name in the ledger. */
  readonly asked: KnownJob | null;
  /** What GitHub shows of the comment that asked for it, and whether its author may; null for a job that nobody asked for. */
  readonly request: { readonly evidence: EvidenceFinding; readonly permitted: boolean } | null;
  /** Whether the project has such pull requests analysed without being asked. */
  readonly automatic: boolean;
  /** What the gate runs here, as receipts name it; a gate that was asked for may run no other. */
  readonly commands: string;
  /** Whether strangers' commits may run here: somebody approved exactly this head, or they are in the repository. */
  readonly approved: boolean;
  readonly pull: { readonly open: boolean; readonly head: string; readonly base: string } | null;
}

export type JobRefusal =
  | "not_dispatched"
  | "unknown_job"
  | "inputs_differ"
  | "evidence_gone"
  | "not_permitted"
  | "not_open"
  | "head_moved"
  | "base_moved"
  | "gate_changed"
  | "not_approved"
  | "claimed";

/**
 * Null when a runner may do the job. Everybody who can push can write into the ledger, and whoever may start workflows
 * can give any inputs: only where both agree, GitHub shows who asked, and the App started this run, is it done.
 */
export function refuseJob(facts: JobFacts): JobRefusal | null {
  const { inputs, run, expected, asked, request, pull } = facts;
  if (run === null || !isDispatchedByApp(run, expected)) return "not_dispatched";
  if (asked === null) return "unknown_job";
  const same = (["kind", "head", "base"] as const).every((field) => asked[field] === inputs[field]);
  if (!same) return "inputs_differ";
  if (request === null && !facts.automatic) return "not_permitted";
  if (request !== null && request.evidence !== "holds") return "evidence_gone";
  if (request !== null && !request.permitted) return "not_permitted";
  if (pull === null || !pull.open) return "not_open";
  if (pull.head !== asked.head) return "head_moved";
  if (pull.base !== asked.base) return "base_moved";
  if (asked.kind === "gate") {
    if (asked.commands !== facts.commands) return "gate_changed";
    if (!facts.approved) return "not_approved";
  }
  return asked.claimed.includes(inputs.attempt) ? "claimed" : null;
}
