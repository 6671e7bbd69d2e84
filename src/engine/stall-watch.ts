import { placeOf } from "../core/run/ledger/place-of.js";
import type { Slot } from "../core/run/ledger/slot.js";
import { isStalled, type Stillness, takePulse } from "../core/run/tick/stall.js";
import type { EngineParts } from "./engine-parts.js";
import type { Troubles } from "./faults/troubles.js";
import { markerOf } from "./marker.js";

/** Looking at an agent's CPU means reading the process table; nobody needs to know sooner. */
const LOOK_EVERY_MS = 30_000;

/** Tells when an agent has not moved for long. It only tells: a long silence may be a long thought. */
export class StallWatch {
  readonly #parts: EngineParts;
  readonly #stuckSeconds: number;
  readonly #seen = new Map<string, { stillness: Stillness; lookedAt: number; told: boolean }>();

  readonly #troubles: Troubles;
  #watching: Promise<void> | null = null;

  constructor(parts: EngineParts, stuckSeconds: number, troubles: Troubles) {
    this.#parts = parts;
    this.#stuckSeconds = stuckSeconds;
    this.#troubles = troubles;
  }

  /** Beside the loop: it reads the whole process table, and nobody waits for what it tells. */
  watch(slots: readonly Slot[]): void {
    this.#watching ??= this.#look(slots)
      .catch((error: unknown) => {
        const what = `looking for stalls: ${error instanceof Error ? error.message : String(error)}`;
        this.#troubles.say("stalls", what);
      })
      .finally(() => {
        this.#watching = null;
      });
  }

  async settled(): Promise<void> {
    await this.#watching;
  }

  async #look(slots: readonly Slot[]): Promise<void> {
    for (const slot of slots) if (slot.status === "running") await this.#lookAt(slot);
  }

  async #lookAt(slot: Slot): Promise<void> {
    const { processes, folders, now, report } = this.#parts;
    const marker = markerOf(slot);
    const before = this.#seen.get(marker);
    const at = now();
    const age = before === undefined ? Number.POSITIVE_INFINITY : at - before.lookedAt;
    // A clock that was set back counts as due.
    if (age >= 0 && age < LOOK_EVERY_MS) return;
    const place = placeOf(slot);
    const status = await folders.readStatus(place);
    const pulse = {
      at,
      status: JSON.stringify(status),
      ...(await processes.activity(folders.folder(place), marker)),
    };
    const stillness = takePulse(before?.stillness ?? null, pulse);
    const stalled = isStalled(stillness, {
      stuckSeconds: this.#stuckSeconds,
      holdsResource: slot.resources.length > 0,
    });
    if (stalled && !before?.told) {
      report({ kind: "stuck", bead: slot.bead, seconds: Math.round((at - stillness.since) / 1000) });
    }
    this.#seen.set(marker, { stillness, lookedAt: at, told: stalled });
  }
}
