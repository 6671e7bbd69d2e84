import type { Place } from "../core/land/find-places.js";
import type { LandHolder, LandProgress } from "../core/land/land-progress.js";
import type { PullRefusal } from "../core/land/pull/pull-refusal.js";
import type { LandResult } from "../core/land/refusal.js";

/** What a landing tells whoever watches. */
export type LandingNews =
  | { readonly kind: "landing"; readonly bead: string; readonly step: LandProgress }
  /** Another process of this machine lands just now. */
  | { readonly kind: "waiting"; readonly bead: string; readonly behind: LandHolder }
  /** A pull request waits for what others do. */
  | { readonly kind: "unmet"; readonly bead: string; readonly unmet: readonly PullRefusal[] }
  | {
      readonly kind: "landed";
      readonly bead: string;
      readonly head: string;
      readonly branch: string;
      readonly receipt?: string | undefined;
    }
  | { readonly kind: "pull-opened"; readonly bead: string; readonly pull: number; readonly url: string }
  | {
      readonly kind: "refused";
      readonly bead: string;
      readonly result: LandResult;
      readonly detail: string;
      /** Where a red gate complained, as far as it named places. */
      readonly places?: readonly Place[] | undefined;
    };
