import { issueOfBead } from "../core/model/bead.js";
import { issueStanding } from "../core/replies/control/issue-standing.js";
import { beadComments } from "../core/replies/run/run.js";
import type { LedgerState } from "../core/run/ledger/ledger-state.js";
import type { Slot } from "../core/run/ledger/slot.js";
import type { WorkSource } from "../ports/work-source.js";

/** Tells the work source what became of a bead. May be repeated. */
export async function tellSource(
  source: WorkSource,
  slot: Slot,
  { state, now }: { readonly state: LedgerState; readonly now: number },
): Promise<void> {
  const { bead, status } = slot;
  const issue = source.show === undefined ? null : issueOfBead(bead);
  if (issue === null) await comment(source, slot);
  else {
    const standing = issueStanding(issue, slot, { state, now });
    if (standing !== null) await source.show?.(bead, standing);
  }
  // Somebody else's work stands in its way by now: it is anybody's to begin anew.
  if (status === "conflict") await source.release(bead);
}

async function comment(source: WorkSource, slot: Slot): Promise<void> {
  const { bead, run, attempt, status, head, note, pull } = slot;
  if (status === "merge-pending" && head !== null)
    await source.comment(bead, beadComments.finished(bead, head), `finished:${head}`);
  if (status === "pr-opened" && pull !== null)
    await source.comment(bead, beadComments.pullOpened(pull.url), `pull:${pull.number}`);
  if (status === "blocked")
    await source.comment(bead, beadComments.blocked(note), `blocked:${run}/${attempt}`);
  if (status === "conflict")
    await source.comment(bead, beadComments.conflict(note), `conflict:${run}/${attempt}`);
}
