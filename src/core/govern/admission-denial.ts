import type { LeaseKey } from "./agent-lease.js";
import type { AgentName } from "./breaker.js";

/**
 * Why no agent is started now. `by` names who holds what is asked for. `askAgainAt` is when asking may help, in ms;
 * null when nobody can say. Where there is neither, only a lease that ends or another setting helps.
 */
export type AdmissionDenial =
  /** A later attempt of the same bead is at work. */
  | { readonly code: "superseded"; readonly attempt: number }
  | { readonly code: "machine_full"; readonly ceiling: number; readonly by: readonly LeaseKey[] }
  | { readonly code: "breaker_open"; readonly pool: string; readonly askAgainAt: number }
  | {
      readonly code: "probe_running";
      readonly pool: string;
      readonly by: AgentName;
      readonly askAgainAt: number;
    }
  | { readonly code: "dispatch_spacing"; readonly pool: string; readonly askAgainAt: number }
  | {
      readonly code: "pool_full";
      readonly pool: string;
      readonly cap: number;
      readonly by: readonly LeaseKey[];
    }
  /** `sharing` are the projects that have work for the pool. */
  | {
      readonly code: "fair_share";
      readonly pool: string;
      readonly share: number;
      readonly by: readonly LeaseKey[];
      readonly sharing: readonly string[];
      readonly askAgainAt: number | null;
    }
  /** `by` has held it longest; null where the kind has no place at all. */
  | { readonly code: "resource_at_capacity"; readonly resource: string; readonly by: LeaseKey | null }
  | { readonly code: "memory_candidate"; readonly candidateMb: number; readonly leftMb: number }
  | {
      readonly code: "memory_floor";
      readonly leftMb: number;
      readonly floorMb: number;
      readonly askAgainAt: number | null;
    }
  /** Nobody can tell who has which place, so nobody gets one. */
  | { readonly code: "governor_unavailable"; readonly problem: string };

export type AdmissionDenialCode = AdmissionDenial["code"];

/** Whom a denial speaks for: this bead alone, all the project's beads in this pool, everybody in it, or the machine. */
export const DENIAL_REACH: Readonly<Record<AdmissionDenialCode, "bead" | "project" | "pool" | "machine">> = {
  superseded: "bead",
  machine_full: "machine",
  breaker_open: "pool",
  probe_running: "pool",
  dispatch_spacing: "pool",
  pool_full: "pool",
  fair_share: "project",
  resource_at_capacity: "bead",
  memory_candidate: "bead",
  memory_floor: "machine",
  governor_unavailable: "machine",
};

/** When asking again may help; null when nobody can say. */
export function askAgainAt(denial: AdmissionDenial): number | null {
  return "askAgainAt" in denial ? denial.askAgainAt : null;
}
