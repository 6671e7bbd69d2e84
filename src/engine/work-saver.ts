import type { Slot } from "../core/run/ledger/slot.js";
import { hasAgent } from "../core/run/ledger/slot-groups.js";
import { UserError } from "../lib/user-error.js";
import type { EngineParts } from "./engine-parts.js";
import type { Troubles } from "./faults/troubles.js";

/** A machine that vanishes loses what its agents committed since: pushes cost GitHub more than that is worth. */
const EVERY_MS = 60_000;

/** Saves the commits of agents at work for other machines, in one push with the ledger. */
export class WorkSaver {
  readonly #parts: Pick<EngineParts, "ledger" | "worktrees" | "now">;
  readonly #troubles: Troubles;
  #savedAt: number | null = null;
  #saving: Promise<void> | null = null;

  constructor(parts: Pick<EngineParts, "ledger" | "worktrees" | "now">, troubles: Troubles) {
    this.#parts = parts;
    this.#troubles = troubles;
  }

  /** Beside the loop, once a minute. */
  watch(slots: readonly Slot[]): void {
    const now = this.#parts.now();
    this.#savedAt ??= now;
    const age = now - this.#savedAt;
    // A clock that was set back counts as due.
    if (this.#saving !== null || (age >= 0 && age < EVERY_MS)) return;
    this.#savedAt = now;
    this.#saving = this.#save(beadsOf(slots)).finally(() => {
      this.#saving = null;
    });
  }

  async settled(): Promise<void> {
    await this.#saving;
  }

  async #save(beads: readonly string[]): Promise<void> {
    try {
      const beside = await this.#parts.worktrees.unsaved(beads);
      if (beside.refs.length === 0) return;
      if (await this.#parts.ledger.shareBeside(beside)) await this.#parts.worktrees.noteSaved(beside.refs);
      else for (const bead of beads) await this.#parts.worktrees.checkpoint(bead);
      this.#troubles.over("checkpoint");
    } catch (error) {
      // The commits are safe on this machine.
      this.#troubles.say("checkpoint", error instanceof Error ? error.message : String(error), "");
    }
  }

  /** All that is not saved, and the ledger, now. Throws where the ledger could not be shared. */
  async flush(slots: readonly Slot[]): Promise<void> {
    const { ledger, worktrees } = this.#parts;
    const beads = slots.map(({ bead }) => bead);
    const beside = await worktrees.unsaved(beads);
    if (beside.refs.length === 0) return ledger.share("now");
    if (await ledger.shareBeside(beside)) return worktrees.noteSaved(beside.refs);
    for (const bead of beads)
      await worktrees.checkpoint(bead).catch((error: unknown) => {
        if (!(error instanceof UserError)) throw error;
        this.#troubles.say("checkpoint", error.message, "");
      });
  }
}

/** A reviewer commits nothing. */
function beadsOf(slots: readonly Slot[]): string[] {
  return slots.filter((slot) => hasAgent(slot) && slot.task !== "review").map(({ bead }) => bead);
}
