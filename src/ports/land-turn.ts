import type { LandHolder, LandWork } from "../core/land/land-progress.js";

/** Only one process of a machine lands at a time. */
export type LandTurn =
  | {
      readonly kind: "ours";
      /** Says what we are doing, to whoever waits. It never fails: nothing depends on it. */
      tell(work: LandWork): void;
      release(): Promise<void>;
    }
  | { readonly kind: "theirs"; readonly by: LandHolder };
