import { claimant } from "../core/model/claim.js";
import type { NewEvent } from "../core/run/ledger/ledger-event.js";
import type { LedgerState } from "../core/run/ledger/ledger-state.js";
import { placeOf } from "../core/run/ledger/place-of.js";
import type { Slot } from "../core/run/ledger/slot.js";
import { leftWork } from "../core/run/plan/left-by-runs.js";
import { openSlots } from "./begin-run.js";
import { endOtherAttempts } from "./effects/end-other-attempts.js";
import type { EngineParts } from "./engine-parts.js";

/** Which drop is told as what an earlier run left. */
export const GIVEN_BACK = "given-back";

/** What earlier runs left behind: slots that nobody looks after, and beads that no run knows of. */
export class Orphans {
  readonly #parts: EngineParts;
  readonly #claimant: string;
  /** How often more it is tried to give beads back. */
  #tries = 3;

  constructor(parts: EngineParts, projectId: string) {
    this.#parts = parts;
    this.#claimant = claimant(projectId);
  }

  /** Settles what other runs left open, one slot after the other, each with the event that records it. */
  async reconcile(
    state: LedgerState,
    run: string,
    record: (event: NewEvent) => Promise<void>,
  ): Promise<void> {
    for (const slot of openSlots(state).filter((open) => open.run !== run)) {
      const event = await reconcileOrphan(slot, run, this.#parts);
      if (event !== null) await record(event);
    }
  }

  /**
   * Beads that are ours in the tracker and in no slot: an engine took them and was cut off before its ledger
   * reached anybody. They go back; one that cannot be given back just now is tried again at the next calls.
   */
  async giveBack({ slots }: LedgerState): Promise<void> {
    if (this.#tries === 0) return;
    let whole = true;
    for (const { id, status, assignee } of await this.#parts.source.all()) {
      const isStranded = status === "in_progress" && assignee === this.#claimant && slots[id] === undefined;
      if (isStranded && !(await this.#release(id))) whole = false;
    }
    this.#tries = whole ? 0 : this.#tries - 1;
  }

  async #release(bead: string): Promise<boolean> {
    if (!(await isAlone(bead, this.#parts))) return false;
    await this.#parts.source.release(bead);
    this.#parts.report({ kind: "orphan", bead, done: "given back, because no run knows of it" });
    return true;
  }
}

/**
 * What is to become of a slot that a dead run left, before a new one starts:
 *
 * - its agent lives here: the new run takes it over, since nobody else looks after it;
 * - it has commits or changes, or ran on another machine: kept for `--resume`;
 * - it has nothing: the bead goes back to the tracker.
 */
async function reconcileOrphan(slot: Slot, run: string, parts: EngineParts): Promise<NewEvent | null> {
  const { bead } = slot;
  const told = (done: string) => parts.report({ kind: "orphan", bead, done });
  if (slot.status === "landing") {
    told("it is about to land, so this run takes it over");
    return { type: "slot.adopted", bead, run, data: { from: slot.run } };
  }
  const status = await parts.processes.status(parts.folders.folder(placeOf(slot)));
  if (status.kind === "alive") {
    told("its agent still runs, so this run takes it over");
    return { type: "slot.adopted", bead, run, data: { from: slot.run } };
  }
  if (status.kind === "none" && slot.status === "running") {
    told("it ran on another machine; koryph run --resume goes on with it");
    return null;
  }
  if (!(await isAlone(bead, parts))) return null;
  const { commits, dirty } = await parts.worktrees.collect(bead);
  if (leftWork({ commits, uncommitted: dirty })) {
    told("kept, because it has work; koryph run --resume goes on with it");
    return null;
  }
  await parts.worktrees.remove(bead);
  await parts.source.release(bead);
  told("its attempt is closed, for it had no work, and the bead is open again");
  return {
    type: "slot.dropped",
    bead,
    run: slot.run,
    data: { reason: "left by a run that ended, without any work", code: GIVEN_BACK },
  };
}

/** Whether no attempt at the bead lives on this machine any more. Where one cannot be ended, the bead stays taken. */
async function isAlone(bead: string, parts: EngineParts): Promise<boolean> {
  try {
    await endOtherAttempts(bead, { besides: null, inside: true }, parts);
    return true;
  } catch (error) {
    const what = `${bead} is not given back: ${error instanceof Error ? error.message : String(error)}`;
    parts.report({ kind: "trouble", what });
    return false;
  }
}
