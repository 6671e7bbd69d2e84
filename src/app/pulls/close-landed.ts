import { landedIssues } from "../../core/control/landed-issues.js";
import { landWords } from "../../core/replies/land/land.js";
import type { LedgerState } from "../../core/run/ledger/ledger-state.js";
import { makeTurns } from "../../lib/async/turns.js";
import type { CommentMemory } from "../../ports/comment-memory.js";
import type { Pulls } from "../../ports/pulls.js";
import type { WorkSource } from "../../ports/work-source.js";

export interface CloseParts {
  readonly pulls: Pick<Pulls, "isOn">;
  readonly source: Pick<WorkSource, "close">;
  /** What was closed before. What is lost of it is done again, and changes nothing. */
  readonly memory: Pick<CommentMemory, "decide" | "decided">;
  readonly now: () => number;
}

/** A webhook and the timer's look may tell of the same landing, and two at once would both write the comment. */
const inTurn = makeTurns();

/** A place among decisions that no command has. */
const CLOSED_PLACE = 0;

/**
 * The issues of landed beads are closed with the landed commit. Their engine does the same when it settles them, with
 * what it has to tidy up on its machine. A commit that is not on its branch, whatever the ledger says, closes nothing.
 */
export function closeLanded(
  parts: CloseParts,
  repository: number,
  state: Pick<LedgerState, "slots">,
): Promise<void> {
  return inTurn(`${repository}`, () => closeAll(parts, repository, state));
}

async function closeAll(
  { pulls, source, memory, now }: CloseParts,
  repository: number,
  state: Pick<LedgerState, "slots">,
): Promise<void> {
  for (const { bead, landed, branch } of landedIssues(state)) {
    const key = `closed ${repository} ${bead}`;
    if ((await memory.decided(key, CLOSED_PLACE)) === landed) continue;
    if (!(await pulls.isOn(branch, landed))) continue;
    await source.close(bead, landWords.closed(landed));
    await memory.decide(key, CLOSED_PLACE, landed, now());
  }
}
