import { OUTCOME_PLACE } from "../../comments/reply-once.js";

/** What is about a comment goes by its name: `comment 123`. */
const COMMENT = /^(comment|review|review-comment) \d+$/;
/** Who was told of a cap, which issues are followed, which replies a thread has. */
const OTHERS = /^(capped|beads|replies) /;

/**
 * Whether the next workflow run has to know what was decided here. Who asked for a landing it proves anew by GitHub, and
 * what was shown it finds there; what a runner was asked for nobody may believe who reads it in the ledger.
 */
export function isShared(name: string, place: number): boolean {
  return COMMENT.test(name) ? place >= 0 || place === OUTCOME_PLACE : OTHERS.test(name);
}
