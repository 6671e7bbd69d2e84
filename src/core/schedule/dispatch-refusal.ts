import type { AdmissionDenial } from "../govern/admission-denial.js";
import type { QuotaLevel, QuotaWindow } from "../govern/quota-level.js";
import type { PauseKind } from "../model/pause-kind.js";
import type { Withheld } from "../model/release.js";

/** Why a bead is not dispatched now: a stable code for programs, and what its sentence speaks of. */
export type DispatchRefusal =
  | { readonly code: "issue_type"; readonly type: string }
  | { readonly code: "gate_label"; readonly label: string }
  /** Nobody who may has released its text to agents. */
  | { readonly code: "not_released"; readonly why: Withheld }
  /** A person's hold; the reason is empty where none was given. */
  | { readonly code: "held"; readonly actor: string; readonly reason: string }
  /** `by` is null where the kind has no place at all. */
  | { readonly code: "resource_at_capacity"; readonly resource: string; readonly by: string | null }
  /** `by` is the bead that stands in the way. */
  | { readonly code: "conflict_in_flight" | "conflict" | "reserved" | "behind_budget"; readonly by: string }
  | { readonly code: "model_refused" | "runtime_refused"; readonly problem: string }
  /** The bead's work could not become a pull request: the project has no remote on GitHub. */
  | { readonly code: "policy_refused"; readonly policy: string; readonly rationale: string }
  /** Nothing is started on it for now; `passes` when that ends by itself. */
  | {
      readonly code: "runtime_paused";
      readonly runtime: string;
      readonly model: string | null;
      readonly kind: PauseKind;
      readonly until: number | null;
      readonly detail: string;
      /** One agent tries whether it is over. */
      readonly probing: boolean;
      readonly passes: boolean;
    }
  /** The machine, or the account, bears no further agent now. */
  | { readonly code: "not_admitted"; readonly why: AdmissionDenial }
  /** The account that its agent would work on, by pool, is used up, as far as `quota` of the project file lets it be. */
  | {
      readonly code: "quota_reached";
      readonly pool: string;
      readonly window: QuotaWindow;
      readonly fraction: number;
      readonly level: QuotaLevel;
    }
  /** Nobody can tell, so it counts as used up. */
  | { readonly code: "quota_unmeasured"; readonly pool: string; readonly window: QuotaWindow }
  /** Only so many may be at work on it at once by now. */
  | {
      readonly code: "quota_narrowed";
      readonly pool: string;
      readonly window: QuotaWindow;
      readonly fraction: number;
      readonly width: number;
    }
  /** With what those at work may still cost, it might use up the five hours. */
  | {
      readonly code: "quota_exceeded";
      readonly pool: string;
      readonly estimateUsd: number;
      readonly spentUsd: number;
      readonly ceilingUsd: number;
    }
  | { readonly code: "blocked"; readonly bead: string }
  | { readonly code: "beyond_budget"; readonly estimateUsd: number; readonly leftUsd: number }
  | {
      readonly code:
        | "no_dispatch"
        | "refactor_core"
        | "already_active"
        | "container"
        | "wave_full"
        | "merge_pending"
        | "merged";
    };

export type DispatchRefusalCode = DispatchRefusal["code"];

/** The bead that stands in the way; null where none does. */
export function inTheWayOf(refusal: DispatchRefusal): string | null {
  return "by" in refusal ? refusal.by : null;
}
