import { plainText } from "../../../lib/plain-text.js";
import { table } from "../../../lib/table.js";
import type { LedgerEvent } from "../../run/ledger/ledger-event.js";

/** One run of one project, as its ledger tells it. */
export interface RunRecord {
  readonly id: string;
  startedAt: string;
  mode: string;
  /** Null for one that is under way or was cut short. */
  ended: { reason: string; code: number; at: string } | null;
  /** Beads that it gave to agents, and those of them that landed. */
  beads: number;
  landed: number;
  costUsd: number;
  costKnown: boolean;
}

/** The runs of one ledger, from its events in their order. Lines that repeat an id are left out by the caller. */
export class RunIndex {
  readonly #runs = new Map<string, RunRecord>();
  /** Which run a bead was last given to an agent by. */
  readonly #of = new Map<string, string>();
  readonly #counted = new Set<string>();

  add(event: LedgerEvent): void {
    const { run: id = "", bead = "" } = event;
    const run = this.#runs.get(id);
    switch (event.type) {
      case "run.started":
        if (run !== undefined) run.ended = null;
        else this.#runs.set(id, begun(id, event.at, event.data.mode));
        return;
      case "run.ended":
        if (run !== undefined) run.ended = { ...event.data, at: event.at };
        return;
      case "slot.dispatching":
        this.#of.set(bead, id);
        if (run === undefined || this.#counted.has(`${id} ${bead}`)) return;
        this.#counted.add(`${id} ${bead}`);
        run.beads += 1;
        return;
      case "slot.ended":
        if (run === undefined) return;
        run.costUsd += event.data.usage.cost_usd;
        run.costKnown &&= event.data.usage.cost_known;
        return;
      case "land.landed": {
        // A landing that a person asked for names no run: the work is that of the run that had it made.
        const maker = this.#runs.get(this.#of.get(bead) ?? "");
        if (maker !== undefined) maker.landed += 1;
        return;
      }
      default:
    }
  }

  list(): readonly RunRecord[] {
    return [...this.#runs.values()];
  }
}

function begun(id: string, startedAt: string, mode: string): RunRecord {
  return { id, startedAt, mode, ended: null, beads: 0, landed: 0, costUsd: 0, costKnown: true };
}

/** A run of one of this machine's projects. */
export interface IndexedRun {
  readonly project: string;
  readonly run: RunRecord;
  /** An engine on this machine is at it. */
  readonly underWay: boolean;
}

/** Newest first, whichever project they are of. */
export function newestFirst(runs: readonly IndexedRun[]): IndexedRun[] {
  return [...runs].sort((a, b) => (a.run.startedAt < b.run.startedAt ? 1 : -1));
}

export function noRuns(): string {
  return "no registered project has run yet; `koryph project list` shows those there are";
}

export function runIndexText(runs: readonly IndexedRun[]): string[] {
  return table(
    runs.map(({ project, run, underWay }) => [
      project,
      plainText(run.id),
      run.startedAt.slice(0, 16).replace("T", " "),
      `${run.beads} ${run.beads === 1 ? "bead" : "beads"}, ${run.landed} landed`,
      costText(run),
      stateText(run, underWay),
    ]),
  );
}

function costText({ costUsd, costKnown }: RunRecord): string {
  return `${costKnown || costUsd === 0 ? "" : "about "}$${costUsd.toFixed(2)}`;
}

function stateText({ ended }: RunRecord, underWay: boolean): string {
  if (ended !== null) return plainText(ended.reason) || "done";
  return underWay ? "under way" : "not ended: under way elsewhere, or cut short";
}

/** A promise to programs, as docs/json.md describes it. */
export function runIndexJson(runs: readonly IndexedRun[]) {
  return {
    runs: runs.map(({ project, run, underWay }) => ({
      project_id: project,
      run_id: run.id,
      mode: run.mode,
      started_at: run.startedAt,
      ended: run.ended,
      under_way_here: underWay,
      beads: run.beads,
      merged: run.landed,
      cost_usd: run.costUsd,
      cost_known: run.costKnown,
    })),
  };
}
