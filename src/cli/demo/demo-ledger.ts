import { GitLedger } from "../../adapters/git/ledger/git-ledger.js";
import type { KoryphHome } from "../../adapters/home/koryph-home.js";
import type { LedgerEvent } from "../../core/run/ledger/ledger-event.js";
import { DEMO_PROJECT } from "./demo-backlog.js";

const REF = "refs/koryph/ledger";

/** Tells of the events in an engine's ledger, all of them each time, whenever it is rung and something may be new. */
export class DemoLedger {
  readonly #ledger: GitLedger;
  readonly #onEvents: (events: readonly LedgerEvent[]) => void;
  #reading: Promise<void> | null = null;
  #rung = false;

  constructor(home: KoryphHome, onEvents: (events: readonly LedgerEvent[]) => void) {
    const gitDir = home.ledger(DEMO_PROJECT.project_id);
    this.#ledger = new GitLedger({ gitDir, remote: gitDir, ref: REF, actor: "demo", now: Date.now });
    this.#onEvents = onEvents;
  }

  /** However often it rings, there is one reader at a time. */
  ring(): void {
    this.#rung = true;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    // Whoever waits for the end hears of it.
    this.#reading.catch(() => {});
  }

  /** Once everything that is written now has been told. */
  async upToDate(): Promise<void> {
    this.ring();
    await this.#reading;
  }

  async #read(): Promise<void> {
    while (this.#rung) {
      this.#rung = false;
      const events: LedgerEvent[] = [];
      for await (const { reading } of this.#ledger.log())
        if (reading.kind === "event") events.push(reading.event);
      this.#onEvents(events);
    }
  }
}
