import { followedPulls } from "../../core/control/decide-sync.js";
import { issueOfBead } from "../../core/model/bead.js";
import { issueStanding } from "../../core/replies/control/issue-standing.js";
import type { LedgerState } from "../../core/run/ledger/ledger-state.js";
import type { CommentMemory } from "../../ports/comment-memory.js";
import type { WorkSource } from "../../ports/work-source.js";

export interface ShowClosedParts {
  readonly source: Required<Pick<WorkSource, "show">>;
  /** What is shown. What is lost of it is shown again, and looks the same. */
  readonly memory: Pick<CommentMemory, "decide" | "decided">;
  readonly now: () => number;
}

/** A place among decisions that no command has. */
const SHOWN_PLACE = 0;

/**
 * An issue shows that somebody closed the pull request with its work, and that it is open again. Whatever else becomes
 * of a bead, the engine does that itself and shows it.
 */
export async function showClosed(
  { source, memory, now }: ShowClosedParts,
  repository: number,
  state: LedgerState,
): Promise<void> {
  for (const { pull, bead, known } of followedPulls(state)) {
    const slot = bead === null ? undefined : state.slots[bead];
    const issue = slot === undefined ? null : issueOfBead(slot.bead);
    if (slot === undefined || issue === null) continue;
    const key = `shown ${repository} ${slot.bead}`;
    const closed = `closed ${pull}`;
    const before = await memory.decided(key, SHOWN_PLACE);
    if ((before === closed) === (known === "closed")) continue;
    const standing = issueStanding(issue, slot, { state, now: now() });
    if (standing !== null) await source.show(slot.bead, standing);
    await memory.decide(key, SHOWN_PLACE, known === "closed" ? closed : `${known} ${pull}`, now());
  }
}
