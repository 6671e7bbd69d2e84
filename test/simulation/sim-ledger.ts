import { copyState } from "../../src/core/run/ledger/copy-state.js";
import { fold } from "../../src/core/run/ledger/fold/fold.js";
import { LedgerError } from "../../src/core/run/ledger/ledger-error.js";
import { type LedgerEvent, type NewEvent, writeEvent } from "../../src/core/run/ledger/ledger-event.js";
import { emptyState, type LedgerState } from "../../src/core/run/ledger/ledger-state.js";
import type { BesideMoves, ClaimResult, LandingClaim, Ledger, LedgerView } from "../../src/ports/ledger.js";
import type { Chance } from "./chance.js";
import type { SimOrigin } from "./sim-origin.js";

/** A chain folded as far as it was known, so that looking again costs only what is new. */
export class Folded {
  readonly #seen = new Set<string>();
  readonly #state = emptyState();
  #upTo = 0;
  #last: { readonly key: string; readonly state: LedgerState } | null = null;

  /** The state after so many events of the chain, and then those that are not in it yet. */
  state(chain: readonly LedgerEvent[], upTo: number, pending: readonly LedgerEvent[]): LedgerState {
    // Events are only ever added, and those that are pending leave for the chain.
    const key = `${upTo}+${pending.length}+${pending.at(-1)?.id}`;
    if (this.#last?.key === key) return this.#last.state;
    for (; this.#upTo < upTo; this.#upTo += 1) {
      const event = chain[this.#upTo];
      if (event === undefined || this.#seen.has(event.id)) continue;
      this.#seen.add(event.id);
      fold(this.#state, { kind: "event", event });
    }
    const state = copyState(this.#state);
    const more = new Set<string>();
    for (const event of pending) {
      if (this.#seen.has(event.id) || more.has(event.id)) continue;
      more.add(event.id);
      fold(state, { kind: "event", event });
    }
    this.#last = { key, state };
    return state;
  }
}

/** What one home's ledger.git holds on disk: it outlives the engines that use it. */
export class SimLedgerDisk {
  known = 0;
  /** The last event that was seen on the remote: where that is not there any more, somebody has rewound it. */
  last: string | null = null;
  pending: LedgerEvent[] = [];
  /** When a drain was first seen here; null while there is none. */
  drainSeen: number | null = null;
  folded = new Folded();

  /** Somebody removes it, as one does after a loss that is wanted. */
  remove(): void {
    Object.assign(this, { known: 0, last: null, pending: [], folded: new Folded() });
  }
}

export interface LedgerWorld {
  readonly chance: Chance;
  readonly now: () => number;
  readonly onAppend: (event: LedgerEvent) => void;
  /** Before koryph's own push to the default branch, whichever way it goes there. */
  readonly onLanding: (bead: string) => void;
  /** Of a hundred landing pushes so many get lost, and as many arrive without an answer. */
  readonly lossPercent: () => number;
  /** Of a hundred landing pushes so many find that somebody else appended first; 5 unless told. */
  readonly rivalPercent?: number | undefined;
}

/** A ledger with the promises of the real one, and pushes that get lost or arrive twice. */
export class SimLedger implements Ledger {
  readonly #origin: SimOrigin;
  readonly #disk: SimLedgerDisk;
  readonly #world: LedgerWorld;

  constructor(origin: SimOrigin, disk: SimLedgerDisk, world: LedgerWorld) {
    this.#origin = origin;
    this.#disk = disk;
    this.#world = world;
  }

  async refresh(): Promise<LedgerView> {
    this.#lookForRewind();
    this.#know();
    return this.#view();
  }

  async recent(most: number): Promise<readonly LedgerEvent[]> {
    return this.#origin.chain.slice(0, this.#disk.known).slice(-most);
  }

  async observe(events: readonly NewEvent[]): Promise<LedgerView> {
    const draining = this.#view().state.requests.some(({ request }) => request.verb === "drain");
    if (!draining) this.#disk.drainSeen = null;
    else this.#disk.drainSeen ??= this.#world.now();
    const dispatched = events.find(({ type }) => type === "slot.dispatching");
    // What comes in at the very moment between a look and its decision is for the next look.
    if (draining && dispatched && this.#disk.drainSeen !== this.#world.now())
      this.#origin.violate(`${dispatched.bead} was dispatched in spite of a drain`);
    this.#disk.pending.push(...this.#stamped(events));
    return this.#view();
  }

  async claim(events: readonly NewEvent[], view: LedgerView): Promise<ClaimResult> {
    if (!this.#isNewest(view)) return { kind: "lost", view: await this.refresh() };
    const landing = events.some(({ type }) => type === "land.intended" || type === "land.landed");
    if (landing) this.#maybeLost();
    this.#push(events);
    if (landing) this.#maybeLost();
    return { kind: "won", view: await this.refresh() };
  }

  async claimBeside(
    events: readonly NewEvent[],
    view: LedgerView,
    { refs }: BesideMoves,
  ): Promise<LandingClaim> {
    const [event] = events;
    const [branch, receipt] = refs;
    if (branch?.from == null) return this.#origin.violate("a landing that moves no branch");
    const { from, to } = branch;
    if (event?.type !== "land.landed" || event.bead === undefined || event.data.head !== to)
      this.#origin.violate("the branch moved beside something else than its record");
    if (!this.#isNewest(view) || this.#world.chance.percent(this.#world.rivalPercent ?? 5))
      return { kind: "lost", view: await this.refresh() };
    if (this.#origin.tip !== from) return { kind: "lost", view: this.#view() };
    if (receipt !== undefined && receipt.from !== this.#origin.receiptTip)
      return { kind: "lost", view: this.#view() };
    this.#maybeLost();
    this.#world.onLanding(event.bead);
    if (receipt !== undefined) this.#origin.moveReceipts(receipt.from, receipt.to);
    this.#origin.land(event.bead, from, to);
    this.#push(events);
    this.#maybeLost();
    return { kind: "won", view: await this.refresh() };
  }

  async roll(view: LedgerView): Promise<ClaimResult> {
    return { kind: "lost", view };
  }

  async share(when: "due" | "now"): Promise<void> {
    if (when === "due" && this.#world.chance.percent(70)) return;
    // To push on top of what others pushed, one has to have fetched it.
    this.#lookForRewind();
    this.#origin.chain.push(...this.#disk.pending);
    this.#know();
    // The push arrived and its answer did not: the same events are sent again.
    if (!this.#world.chance.percent(20)) this.#disk.pending = [];
  }

  async shareBeside({ refs }: BesideMoves): Promise<boolean> {
    await this.share("now");
    const { wip } = this.#origin;
    const moves = refs.map(({ ref, ...move }) => ({ bead: ref.replace("refs/koryph/wip/", ""), ...move }));
    if (moves.some(({ bead, from }) => (wip.get(bead) ?? null) !== from)) return false;
    for (const { bead, to } of moves) wip.set(bead, to);
    return true;
  }

  #isNewest(view: LedgerView): boolean {
    this.#lookForRewind();
    return view.tip === this.#tip() && this.#disk.known === this.#origin.chain.length;
  }

  #know(): void {
    const { chain } = this.#origin;
    this.#disk.known = chain.length;
    this.#disk.last = chain.at(-1)?.id ?? null;
  }

  #lookForRewind(): void {
    const { known, last } = this.#disk;
    if (known > 0 && this.#origin.chain[known - 1]?.id !== last)
      throw new LedgerError("rewound", { message: "the ledger was rewound", hint: "push it back" });
  }

  #push(events: readonly NewEvent[]): void {
    this.#origin.chain.push(...this.#disk.pending, ...this.#stamped(events));
    this.#disk.pending = [];
  }

  /** The remote cannot be reached, and nobody can tell whether it got what was sent. */
  #maybeLost(): void {
    if (this.#world.chance.percent(this.#world.lossPercent()))
      throw new LedgerError("unreachable", { message: "the remote is gone", hint: "look for it" });
  }

  #stamped(events: readonly NewEvent[]): LedgerEvent[] {
    return events.map((event) => {
      const envelope = {
        id: this.#origin.nextId(),
        at: new Date(this.#world.now()).toISOString(),
        actor: "sim",
      };
      const stamped = { ...envelope, ...event } as LedgerEvent;
      // What we could not read again must not be written in the first place.
      if (event.type.startsWith("land.") || this.#world.chance.percent(10)) writeEvent(stamped);
      this.#world.onAppend(stamped);
      return stamped;
    });
  }

  #tip(): string {
    return `${this.#disk.known}+${this.#disk.pending.length}`;
  }

  #view(): LedgerView {
    const { folded, known, pending } = this.#disk;
    return { tip: this.#tip(), state: folded.state(this.#origin.chain, known, pending) };
  }
}
