import type { CommitSignature } from "./commit-signature.js";
import type { StyledCommit } from "./commit-style.js";
import type { Place } from "./find-places.js";

/** How a landing ends. Everything but `merged` leaves the default branch as it was. */
export const LAND_RESULTS = [
  "merged",
  "conflict",
  "gate-failed",
  "protected",
  "unsigned",
  "commit-style",
  "dirty",
  "no-changes",
  "error",
] as const;
export type LandResult = (typeof LAND_RESULTS)[number];

/** Why the machinery itself could not go on; stable, for tools. */
export type LandErrorCode =
  | "base_busy"
  | "push_refused"
  | "squash_signed"
  | "unsupported"
  | "no_candidate"
  | "broken"
  | "other_branch"
  | "interrupted";

export type LandRefusal =
  | { readonly result: "dirty" }
  | { readonly result: "no-changes" }
  | { readonly result: "protected"; readonly paths: readonly string[] }
  | { readonly result: "commit-style"; readonly commits: readonly StyledCommit[] }
  | {
      readonly result: "unsigned";
      readonly commits: readonly CommitSignature[];
      /** A signed commit that follows an unsigned one: to sign the lower one would take its signature away. */
      readonly under?: string;
    }
  | { readonly result: "conflict"; readonly files: readonly string[] }
  | {
      readonly result: "gate-failed";
      readonly command: string;
      readonly code: number | null;
      readonly output: string;
      readonly places: readonly Place[];
    }
  | { readonly result: "error"; readonly code: LandErrorCode; readonly why: string };
