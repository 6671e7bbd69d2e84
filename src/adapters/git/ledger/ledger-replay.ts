import { ownSlot, shareSlots } from "../../../core/run/ledger/copy-state.js";
import { fold } from "../../../core/run/ledger/fold/fold.js";
import { type EventReading, eventReader } from "../../../core/run/ledger/ledger-event.js";
import { emptyState, type LedgerState } from "../../../core/run/ledger/ledger-state.js";
import { hasCommit, readLedgerCommits } from "./ledger-commits.js";

/** What a chain amounts to up to a commit. The state is never changed once made: views of it are handed out. */
export interface Folded {
  readonly tip: string | null;
  readonly state: LedgerState;
  /** Ids of the current chain's events: a repeat is ignored. */
  readonly ids: Set<string>;
  /** Where folding went on from; its ids count too. Kept apart, since it may hold many. */
  readonly below: Folded | null;
}

export function emptyReplay(): Folded {
  return { tip: null, state: emptyState(), ids: new Set(), below: null };
}

/** Null for a line in quarantine. */
export function idOf(reading: EventReading): string | null {
  switch (reading.kind) {
    case "event":
      return reading.event.id;
    case "unknown":
      return reading.id;
    case "quarantined":
      return null;
  }
}

/** Goes on where another result stopped, which is not to be used any more: its ids are taken over. */
export function foldOn(from: Folded, tip: string, lines: Iterable<string>): Folded {
  const draft = new Draft(from, from.ids, from.below);
  draft.add(lines);
  return draft.done(tip);
}

/** Folds `from..tip`. Null when the tip does not follow from there by first parents. */
export async function replay(
  gitDir: string,
  from: Folded,
  tip: string | null,
  as: "whole" | "layer",
): Promise<Folded | null> {
  if (tip === from.tip) return as === "whole" ? from : layerOn(from);
  if (tip === null) return null;
  const draft = as === "whole" ? new Draft(from, allIds(from), null) : new Draft(from, new Set(), from);
  let last = from.tip;
  const revisions = from.tip === null ? [tip] : [tip, `^${from.tip}`];
  try {
    for await (const commits of readLedgerCommits(gitDir, revisions)) {
      for (const { commit, parents, lines } of commits) {
        if ((parents[0] ?? null) !== last) return null;
        last = commit;
        draft.add(lines);
      }
    }
  } catch (error) {
    // Git fails over a commit it does not have: the start was in a chain that another process purged.
    if (await hasCommit(gitDir, from.tip)) throw error;
    return null;
  }
  return last === tip ? draft.done(tip) : null;
}

/** The same result with nothing of its own yet: what is folded on top stays apart. */
export function layerOn(from: Folded): Folded {
  return { tip: from.tip, state: from.state, ids: new Set(), below: from };
}

/** Layers made one. */
export function flatten(folded: Folded): Folded {
  if (folded.below === null) return folded;
  return { tip: folded.tip, state: folded.state, ids: allIds(folded), below: null };
}

export function knows(folded: Folded, id: string): boolean {
  return folded.ids.has(id) || (folded.below !== null && knows(folded.below, id));
}

function allIds(folded: Folded): Set<string> {
  const ids = new Set<string>();
  for (let layer: Folded | null = folded; layer !== null; layer = layer.below)
    for (const id of layer.ids) ids.add(id);
  return ids;
}

class Draft {
  readonly #state: LedgerState;
  readonly #ids: Set<string>;
  readonly #below: Folded | null;
  readonly #read = eventReader();
  /** Beads whose slots are not those of the state we go on from. */
  readonly #own = new Set<string>();

  constructor(from: Folded, ids: Set<string>, below: Folded | null) {
    this.#state = shareSlots(from.state);
    this.#ids = ids;
    this.#below = below;
  }

  add(lines: Iterable<string>): void {
    for (const line of lines) {
      const reading = this.#read(line);
      const id = idOf(reading);
      if (id !== null) {
        if (this.#ids.has(id) || (this.#below !== null && knows(this.#below, id))) continue;
        this.#ids.add(id);
      }
      if (reading.kind === "event") this.#makeOwn(reading.event.bead);
      fold(this.#state, reading);
    }
  }

  #makeOwn(bead: string | undefined): void {
    if (bead === undefined || this.#own.has(bead)) return;
    ownSlot(this.#state, bead);
    this.#own.add(bead);
  }

  done(tip: string): Folded {
    return { tip, state: this.#state, ids: this.#ids, below: this.#below };
  }
}
