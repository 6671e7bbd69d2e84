import { fold } from "../ledger/fold/fold.js";
import type { EventReading } from "../ledger/ledger-event.js";
import { emptyState, type LedgerState } from "../ledger/ledger-state.js";
import { groupSlots, NO_GROUPS, type ReportRow, type RunReport, reportRow } from "./run-report.js";

/** A run that the ledger tells of. */
export interface RetoldRun {
  readonly report: RunReport;
  /** When it began, and its last word; it may still go on. */
  readonly from: number;
  readonly to: number;
}

/**
 * The runs of a ledger, by id, as those would have shown them who looked on; each line once, in order. What became of a
 * run's beads after its end is told as well. Runs that an archived chain tells of are not there.
 */
export class RunTeller {
  readonly #state: LedgerState = emptyState();
  readonly #runs = new Map<string, Retelling>();

  hear(reading: EventReading): void {
    const before = this.#state.run;
    fold(this.#state, reading);
    if (reading.kind !== "event") return;
    const now = Date.parse(reading.event.at);
    const { run } = this.#state;
    if (run !== null && run !== before && !this.#runs.has(run.id))
      this.#runs.set(run.id, new Retelling(run.id, Date.parse(run.startedAt)));
    // Of all events, only those of a bead or a run change what there is to tell.
    if (reading.event.bead === undefined && !reading.event.type.startsWith("run.")) return;
    for (const retelling of this.#runs.values()) retelling.look(this.#state, now);
  }

  /** Null when the ledger does not tell of it; `null` asks for the newest one. */
  run(id: string | null, now: number): RetoldRun | null {
    const found = id === null ? [...this.#runs.values()].at(-1) : this.#runs.get(id);
    return found === undefined ? null : found.told(now);
  }

  get ids(): readonly string[] {
    return [...this.#runs.keys()];
  }
}

class Retelling {
  readonly #id: string;
  readonly #from: number;
  readonly #rows = new Map<string, ReportRow>();
  #to: number;
  #mode: RunReport["mode"] = "rolling";
  #ended: RunReport["ended"] = null;
  #groups = NO_GROUPS;

  constructor(id: string, from: number) {
    this.#id = id;
    this.#from = from;
    this.#to = from;
  }

  look({ run, slots }: LedgerState, now: number): void {
    const own = Object.values(slots).filter((slot) => slot.run === this.#id);
    for (const slot of own) this.#rows.set(slot.bead, reportRow(slot));
    this.#groups = groupSlots(this.#groups, own, { mode: this.#mode, now });
    if (run?.id !== this.#id) return;
    const { mode, ended } = run;
    this.#mode = mode;
    this.#ended = ended && {
      reason: ended.reason === "" ? "its wave has ended" : `it ended: ${ended.reason}`,
      outcome: ended.code === 0 || ended.code === 4 ? "complete" : "failure",
    };
    this.#to = ended === null ? now : Date.parse(ended.at);
  }

  told(now: number): RetoldRun {
    const { groups, spans } = this.#groups;
    const report = {
      ...{ run: this.#id, mode: this.#mode, ended: this.#ended, now, spans },
      groups: groups.map((beads) => beads.flatMap((bead) => this.#rows.get(bead) ?? [])),
    };
    return { report, from: this.#from, to: this.#ended === null ? now : this.#to };
  }
}
