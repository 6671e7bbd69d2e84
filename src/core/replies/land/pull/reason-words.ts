import type { PullReason, PullReasonCode } from "../../../land/pull/pull-refusal.js";
import type { PullCommands } from "./pull-commands.js";

/** A condition in plain words; what is from outside in them is made safe by whoever shows them. */
export interface PullWords {
  readonly code: PullReasonCode;
  readonly found: string;
  readonly need: string;
  /** What to do, or type; empty when it passes by itself. */
  readonly next: string;
  readonly who: string;
}

/** What one of the reasons comes to in words. */
export type ReasonWords<C extends PullReasonCode> = (
  refusal: PullReason<C>,
  how: PullCommands,
) => Pick<PullWords, "found" | "need" | "next">;
