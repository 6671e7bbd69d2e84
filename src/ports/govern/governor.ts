import type { AdmissionDenial } from "../../core/govern/admission-denial.js";
import type { AgentLease, LeaseKey } from "../../core/govern/agent-lease.js";
import type { AgentEnding } from "../../core/govern/report-rate-limit.js";
import type { ProcessIdentity } from "../../core/model/process-identity.js";
import type { AgentNeeds } from "../../core/run/plan/agent-needs.js";

/** An agent that is to be started. */
export interface AgentWish extends LeaseKey, AgentNeeds {
  readonly pool: string;
  /** Where its process is going to sign in. */
  readonly folder: string;
}

/** An agent that has ended, and how. */
export interface EndedAgent {
  readonly agent: LeaseKey & Pick<AgentWish, "pool">;
  readonly how: AgentEnding;
}

export type AdmissionAnswer =
  | { readonly kind: "granted" }
  | { readonly kind: "denied"; readonly why: AdmissionDenial };

/**
 * How many agents this machine and its accounts bear, shared by all engines on it. All verbs may be repeated. Where the
 * record cannot be read, `admit` denies and the others throw a `UserError`.
 */
export interface Governor {
  /** The process that holds a lease until its agent runs. */
  readonly self: ProcessIdentity;
  /**
   * Takes a lease for an agent of this engine's; granted at once where its attempt has one already. What has `ended` is
   * given back in the same step, whatever the answer: the record is written once for both.
   */
  admit(wish: AgentWish, ended?: readonly EndedAgent[]): Promise<AdmissionAnswer>;
  /** Ties the lease to the agent's own process; an agent at work without one gets it. */
  attach(agent: AgentWish & { readonly process: ProcessIdentity }): Promise<void>;
  /** Gives leases back. A rate limit is noted even where its lease is gone. */
  end(ended: readonly EndedAgent[]): Promise<void>;
  /** The project's leases, also those whose process may be dead. */
  held(project: string): Promise<readonly AgentLease[]>;
  /** The project's engine wants nothing more: what this process holds, and the project's share, go to the others. */
  leave(project: string): Promise<void>;
}
