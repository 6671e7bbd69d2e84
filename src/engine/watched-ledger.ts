import { LedgerError } from "../core/run/ledger/ledger-error.js";
import type { LedgerState } from "../core/run/ledger/ledger-state.js";
import { rollDue } from "../core/run/ledger/roll-due.js";
import type { LedgerView } from "../ports/ledger.js";
import type { EngineParts } from "./engine-parts.js";
import type { Troubles } from "./faults/troubles.js";

/** The ledger as a running engine reads and shares it: a remote that is out of reach for a while ends nothing. */
export class WatchedLedger {
  readonly #parts: EngineParts;
  readonly #everyMs: number;
  readonly #troubles: Troubles;
  /** When the remote's ledger was last asked for. */
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: EngineParts, everyMs: number, troubles: Troubles) {
    this.#parts = parts;
    this.#everyMs = everyMs;
    this.#troubles = troubles;
  }

  /** An unreachable remote is borne for as long as the lease lasts; what is recorded here still counts. */
  async refresh(): Promise<LedgerView> {
    const { ledger, now } = this.#parts;
    const age = now() - this.#askedAt;
    // What is appended on this machine shows without the remote. What others push is looked for as often as
    // the timer ticks, however many ticks there are between: a clock that was set back counts as due.
    if (age >= 0 && age < this.#everyMs) return ledger.observe([]);
    this.#askedAt = now();
    try {
      const view = await ledger.refresh();
      this.#troubles.over("ledger");
      return view;
    } catch (error) {
      if (!(error instanceof LedgerError) || error.kind !== "unreachable") throw error;
      this.#troubles.say("ledger", error.message, error.kind);
      return ledger.observe([]);
    }
  }

  /** Shares what is due, and starts a new chain when the current one has grown long. */
  async share(state: LedgerState | null): Promise<void> {
    const { ledger } = this.#parts;
    try {
      await ledger.share("due");
      if (state && rollDue(state)) await ledger.roll(await ledger.refresh());
    } catch (error) {
      if (!(error instanceof LedgerError) || error.kind === "rewound") throw error;
      this.#troubles.say("ledger", error.message, error.kind);
    }
  }
}
