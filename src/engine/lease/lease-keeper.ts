import { UserError } from "../../lib/user-error.js";
import type { LedgerView } from "../../ports/ledger.js";
import { beginRun } from "../begin-run.js";
import type { EngineParts, EngineSettings } from "../engine-parts.js";
import type { Troubles } from "../faults/troubles.js";
import { isOutside } from "../faults/whose-fault.js";
import { claimLease, type LeaseFacts, LeaseLost, LeaseWatch, leaseWait, renewLease } from "./hold-lease.js";

const SLOW_PUSH_MS = 5_000;

/** What the wall clock and the steady one show at once. */
interface Moment {
  readonly wall: number;
  readonly steady: number;
}

/** Our right to dispatch: taken once, shown to be alive again and again. */
export class LeaseKeeper {
  readonly #parts: EngineParts;
  readonly #settings: EngineSettings;
  readonly #facts: LeaseFacts;
  readonly #watch = new LeaseWatch();
  #renewed: Moment = { wall: 0, steady: 0 };
  #id = "";

  readonly #troubles: Troubles;

  constructor(
    parts: EngineParts,
    settings: EngineSettings,
    isDead: LeaseFacts["isDead"],
    troubles: Troubles,
  ) {
    this.#parts = parts;
    this.#troubles = troubles;
    this.#settings = settings;
    this.#facts = { ...settings, isDead };
  }

  /** The event that took the lease. */
  get id(): string {
    return this.#id;
  }

  /** Takes the lease together with the events that begin the run; null while somebody else has it. */
  async take(): Promise<LedgerView | null> {
    const { ledger, liveness } = this.#parts;
    const asked = this.#moment();
    const view = await claimLease(
      ledger,
      this.#facts,
      ({ state }) => beginRun(state, this.#settings),
      (seen) => this.remainingMs(seen) === 0,
    );
    if (view === null) return null;
    this.#renewed = asked;
    this.#id = view.state.lease?.id ?? "";
    await liveness.touch(asked.wall);
    return view;
  }

  /** How long somebody else's lease has to be waited for; 0 when it is free. */
  remainingMs(view: LedgerView): number {
    return leaseWait(view, this.#watch, this.#facts, this.#parts.steady());
  }

  /** Renews in good time. Throws a `UserError` when the lease is lost, or may be somebody else's by now. */
  async keep(): Promise<void> {
    const { steady, ledger, liveness } = this.#parts;
    const { leaseSeconds, holder } = this.#settings;
    const asked = this.#moment();
    const age = this.#age(asked);
    if (age < (leaseSeconds * 1000) / 3) return;
    const renewed = await renewLease(ledger, holder).catch((error: unknown) => {
      if (!(error instanceof UserError || isOutside(error))) throw error;
      this.#troubles.say("lease", error instanceof Error ? error.message : String(error), "");
      return null;
    });
    if (renewed) {
      this.#troubles.over("lease");
      // Dated before the renewal was sent: nobody can have seen it earlier, so our agents end before anybody
      // else may start their own.
      this.#renewed = asked;
      // A wrapper counts from when it sees the touch, others from when they see the renewal. After a slow push
      // the two are too far apart, so this renewal does not count for the agents.
      if (steady() - asked.steady < SLOW_PUSH_MS) await liveness.touch(asked.wall);
      return;
    }
    // Not being able to ask is no answer, until it has lasted so long that somebody else may have the lease.
    if (renewed === false || age >= leaseSeconds * 1000) throw new LeaseLost(holder);
  }

  /** False once somebody else may have taken it: what was begun before a long sleep is not gone on with after it. */
  isFresh(): boolean {
    return this.#age(this.#moment()) < this.#settings.leaseSeconds * 1000;
  }

  /** The wall clock may have been put back, the steady one does not count sleep: whichever says more is believed. */
  #age({ wall, steady }: Moment): number {
    return Math.max(wall - this.#renewed.wall, steady - this.#renewed.steady);
  }

  #moment(): Moment {
    return { wall: this.#parts.now(), steady: this.#parts.steady() };
  }
}
