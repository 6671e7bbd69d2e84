import { plainText } from "../../../lib/plain-text.js";

/** Why a bead is not dispatched now: a stable code for programs, a sentence for people. */
export interface DispatchRefusal {
  readonly code: DispatchRefusalCode;
  readonly reason: string;
  /** The bead that stands in the way, where there is one. */
  readonly by?: string;
}

export type DispatchRefusalCode =
  | "issue_type"
  | "gate_label"
  | "no_dispatch"
  | "held"
  | "refactor_core"
  | "already_active"
  | "container"
  | "wave_full"
  | "resource_at_capacity"
  | "conflict_in_flight"
  | "conflict"
  | "reserved"
  | "model_refused"
  | "runtime_refused"
  | "blocked"
  | "merge_pending"
  | "merged"
  | "beyond_budget"
  | "behind_budget";

export const heldBack = {
  type: (type: string): DispatchRefusal => ({
    code: "issue_type",
    reason: `non-dispatch issue_type ${type}`,
  }),
  gateLabel: (label: string): DispatchRefusal => ({ code: "gate_label", reason: `gate label ${label}` }),
  noDispatch: (): DispatchRefusal => ({ code: "no_dispatch", reason: "no-dispatch label" }),
  refactorCore: (): DispatchRefusal => ({ code: "refactor_core", reason: "refactor-core label" }),
  alreadyActive: (): DispatchRefusal => ({ code: "already_active", reason: "already active" }),
  held: (actor: string, reason: string): DispatchRefusal => ({
    code: "held",
    reason: `held by ${plainText(actor)}${reason === "" ? "" : `: ${plainText(reason)}`}`,
  }),
  container: (): DispatchRefusal => ({ code: "container", reason: "container bead" }),
  waveFull: (): DispatchRefusal => ({ code: "wave_full", reason: "wave full" }),
  resource: (kind: string, by: string): DispatchRefusal => ({
    code: "resource_at_capacity",
    reason: `resource ${kind} at capacity (held by ${by})`,
    by,
  }),
  conflictInFlight: (by: string): DispatchRefusal => ({
    code: "conflict_in_flight",
    reason: `footprint conflict with ${by} (in-flight)`,
    by,
  }),
  conflict: (by: string): DispatchRefusal => ({
    code: "conflict",
    reason: `footprint conflict with ${by}`,
    by,
  }),
  reserved: (by: string): DispatchRefusal => ({ code: "reserved", reason: `reserved for ${by}`, by }),
  blocked: (id: string): DispatchRefusal => ({
    code: "blocked",
    reason: `blocked (koryph retry ${id} lets it go on)`,
  }),
  mergePending: (): DispatchRefusal => ({ code: "merge_pending", reason: "finished, waiting to land" }),
  merged: (): DispatchRefusal => ({ code: "merged", reason: "landed, about to be closed" }),
  beyondBudget: (estimate: string, rest: string): DispatchRefusal => ({
    code: "beyond_budget",
    reason: `may cost ${estimate}, and ${rest} of the budget is left`,
  }),
  behindBudget: (by: string): DispatchRefusal => ({
    code: "behind_budget",
    reason: `waits behind ${by}, which the budget cannot pay`,
    by,
  }),
  model: (problem: string): DispatchRefusal => ({ code: "model_refused", reason: problem }),
  runtime: (problem: string): DispatchRefusal => ({ code: "runtime_refused", reason: problem }),
};

/** What a bead may cost, and what that leaves. */
export function estimateText(estimateUsd: number, leftUsd: number): string {
  return `${usd(estimateUsd)}, leaves ${usd(leftUsd)} of the budget`;
}

export function usd(amount: number): string {
  return `$${amount.toFixed(2)}`;
}
