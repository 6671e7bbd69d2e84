import type { LandingEnd } from "./landing-queue.js";
import type { LandRefusal } from "./refusal.js";

/** What came of one try at a landing. */
export type LandOutcome =
  | LandingEnd
  | { readonly kind: "refused"; readonly refusal: LandRefusal }
  /** Its pull request is open. */
  | { readonly kind: "opened"; readonly pull: number; readonly url: string; readonly head: string }
  /** It keeps its place in the queue until the hold is lifted. */
  | { readonly kind: "held" }
  | { readonly kind: "stopped" };
