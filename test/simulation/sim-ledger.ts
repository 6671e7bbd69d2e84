import type { LedgerEvent, NewEvent } from "../../src/core/run/ledger-event.js";
import { emptyState, fold } from "../../src/core/run/ledger-state.js";
import type { ClaimResult, Ledger, LedgerView } from "../../src/ports/ledger.js";
import type { Chance } from "./chance.js";

/** The chain that everybody shares. */
export class SimRemote {
  readonly chain: LedgerEvent[] = [];
  #ids = 0;

  nextId(): string {
    this.#ids += 1;
    return this.#ids.toString().padStart(26, "0");
  }
}

/** What one home's ledger.git holds on disk: it outlives the engines that use it. */
export class SimLedgerDisk {
  known = 0;
  pending: LedgerEvent[] = [];
}

/** A ledger with the promises of the real one, and pushes that get lost or arrive twice. */
export class SimLedger implements Ledger {
  readonly #remote: SimRemote;
  readonly #disk: SimLedgerDisk;
  readonly #chance: Chance;
  readonly #now: () => number;
  readonly #onAppend: (event: LedgerEvent) => void;

  constructor(
    remote: SimRemote,
    disk: SimLedgerDisk,
    world: { chance: Chance; now: () => number; onAppend: (event: LedgerEvent) => void },
  ) {
    this.#remote = remote;
    this.#disk = disk;
    this.#chance = world.chance;
    this.#now = world.now;
    this.#onAppend = world.onAppend;
  }

  async refresh(): Promise<LedgerView> {
    this.#disk.known = this.#remote.chain.length;
    return this.#view();
  }

  async observe(events: readonly NewEvent[]): Promise<LedgerView> {
    const draining = this.#view().state.requests.some(({ request }) => request.verb === "drain");
    const dispatched = events.find(({ type }) => type === "slot.dispatching");
    if (draining && dispatched) throw new Error(`${dispatched.bead} was dispatched in spite of a drain`);
    this.#disk.pending.push(...this.#stamped(events));
    return this.#view();
  }

  async claim(events: readonly NewEvent[], view: LedgerView): Promise<ClaimResult> {
    if (view.tip !== this.#tip() || this.#disk.known !== this.#remote.chain.length) {
      return { kind: "lost", view: await this.refresh() };
    }
    this.#remote.chain.push(...this.#disk.pending, ...this.#stamped(events));
    this.#disk.pending = [];
    return { kind: "won", view: await this.refresh() };
  }

  async roll(view: LedgerView): Promise<ClaimResult> {
    return { kind: "lost", view };
  }

  async share(when: "due" | "now"): Promise<void> {
    if (when === "due" && this.#chance.percent(70)) return;
    this.#remote.chain.push(...this.#disk.pending);
    // To push on top of what others pushed, one has to have fetched it.
    this.#disk.known = this.#remote.chain.length;
    // The push arrived and its answer did not: the same events are sent again.
    if (!this.#chance.percent(20)) this.#disk.pending = [];
  }

  #stamped(events: readonly NewEvent[]): LedgerEvent[] {
    return events.map((event) => {
      const stamped = {
        ...event,
        id: this.#remote.nextId(),
        at: new Date(this.#now()).toISOString(),
        actor: "sim",
      } as LedgerEvent;
      this.#onAppend(stamped);
      return stamped;
    });
  }

  #tip(): string {
    return `${this.#disk.known}+${this.#disk.pending.length}`;
  }

  #view(): LedgerView {
    const state = emptyState();
    const seen = new Set<string>();
    for (const event of [...this.#remote.chain.slice(0, this.#disk.known), ...this.#disk.pending]) {
      if (seen.has(event.id)) continue;
      seen.add(event.id);
      fold(state, { kind: "event", event });
    }
    return { tip: this.#tip(), state };
  }
}
