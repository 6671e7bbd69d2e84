import type { PauseKind } from "../../model/pause-kind.js";

/** Why something became of a slot, as the rules decide it: a stable code, and what its sentence speaks of. */
type SlotReason =
  | { readonly code: "interrupted" | "no-trace" | "bead-taken" | "bead-gone" | "bead-unreleased" }
  /** It was to be billed to a key that this run may not spend on. */
  | { readonly code: "spend-withdrawn" }
  /** Its dispatch recorded another account than the one that is pinned by now. */
  | { readonly code: "account-changed" }
  | { readonly code: "asked-for"; readonly actor: string }
  /** What ended an attempt, in the runtime's own words. */
  | { readonly code: "agent-ended"; readonly outcome: string; readonly detail: Words }
  /** What its status.json says: no, or a word that koryph does not know. */
  | { readonly code: "agent-says" | "status-unknown"; readonly state: string; readonly note: string }
  | { readonly code: "no-commit" | "uncommitted" | "status-unreadable" }
  | { readonly code: "stopped"; readonly detail: Words }
  | { readonly code: "runtime-paused"; readonly kind: PauseKind; readonly detail: Words }
  | { readonly code: "review-unread"; readonly because: Words }
  /** The task is there where a stage failed, not the implementing. */
  | {
      readonly code: "too-many-deaths";
      readonly times: number;
      readonly task: string | null;
      readonly last: Words;
    }
  /** A review sends it back, or still does so after all rounds. */
  | { readonly code: "bounced" | "review-degraded"; readonly note: string }
  /** Something was to shut its agent in, and nothing did; with the note of a degraded review, where there was one. */
  | { readonly code: "uncontained"; readonly degraded: string | null }
  | { readonly code: "still-blocking"; readonly rounds: number }
  /** With the note of a degraded review, where there was one. */
  | { readonly code: "needs-auto-merge"; readonly degraded: string | null }
  /** Its landing was refused; `times` in a row where that is why a person has to look. */
  | {
      readonly code: "land-refused";
      readonly result: string;
      readonly refusal: string;
      readonly detail: string;
      readonly times: number | null;
    }
  | { readonly code: "too-many-attempts"; readonly times: number }
  /** The engine could not do what comes next for the bead. */
  | {
      readonly code: "effect-failed";
      readonly effect: string;
      readonly times: number;
      readonly detail: string;
    }
  | { readonly code: "stage-lost-commits" | "stage-timed-out"; readonly task: string }
  | { readonly code: "stage-left-out"; readonly task: string; readonly because: Words };

/** A reason of ours, or a text that an agent, a runtime or an earlier event gave. Empty when there is none. */
export type Words = SlotReason | string;
