import { ledgerAdvice } from "../../../core/replies/ledger/ledger.js";
import { CarriedState } from "../../../core/run/ledger/carried-state.js";
import type { EventData } from "../../../core/run/ledger/event-data.js";
import { fold } from "../../../core/run/ledger/fold/fold.js";
import { type EventReading, eventReader } from "../../../core/run/ledger/ledger-event.js";
import { emptyState, type LedgerState } from "../../../core/run/ledger/ledger-state.js";
import { UserError } from "../../../lib/user-error.js";
import type { LedgerView } from "../../../ports/ledger.js";
import { allChains } from "./ledger-chains.js";
import { readLedgerCommits } from "./ledger-commits.js";
import type { LineageFacts, Roll } from "./ledger-lineage.js";
import type { RemoteTip } from "./ledger-remote.js";
import { idOf } from "./ledger-replay.js";

/** One event by its id, or every event that holds a text. */
export type PurgeTarget = { readonly id: string } | { readonly text: string };

export interface PurgeReport {
  /** How many events were dropped; none when nothing matched and nothing was done. */
  readonly events: number;
  /** Archived chains that held a match and were deleted. */
  readonly archives: readonly string[];
}

export interface Survey {
  readonly state: LedgerState;
  /** Matching lines, carried states among them. */
  readonly matches: number;
  readonly droppedLines: number;
  readonly tainted: readonly RemoteTip[];
  readonly purge: NonNullable<EventData<"ledger.rolled">["purge"]>;
}

/** Readers up to this many commits behind find theirs among those named, and go on without a person's help. */
const NAMED_COMMITS = 1_000;
const REMOVED = "[purged]";

/**
 * Folds the whole history that is left, all but what matches. Where a chain goes on from one that is still
 * there, its carried state is passed over: it may hold what the match left behind.
 */
export async function surveyHistory(
  facts: LineageFacts,
  view: LedgerView,
  target: PurgeTarget,
): Promise<Survey> {
  const tainted: RemoteTip[] = [];
  const dropped: string[] = [];
  let matches = 0;
  let droppedLines = 0;
  let state = emptyState();
  let last = "";
  const read = eventReader();
  let recent: { commit: string; ids: string[] }[] = [];
  for await (const { tip, archive } of allChains(facts, view)) {
    const ids = new Set<string>();
    const before = matches;
    for await (const commits of readLedgerCommits(facts.gitDir, [tip])) {
      for (const { commit, parents, lines } of commits) {
        const own: string[] = [];
        recent.push({ commit, ids: own });
        for (const line of lines) {
          const reading = read(line);
          const id = idOf(reading);
          const matched = matchesLine(line, id, target);
          if (matched) matches += 1;
          const roll = parents.length === 0 ? rollOf(reading) : null;
          if (roll !== null) {
            if (roll.previous !== last) state = openedBy(roll, target);
            continue;
          }
          if (id !== null) {
            if (ids.has(id)) continue;
            ids.add(id);
            own.push(id);
          }
          if (!matched) {
            fold(state, reading);
            continue;
          }
          droppedLines += 1;
          if (id !== null) dropped.push(id);
        }
      }
      recent = recent.slice(-NAMED_COMMITS);
    }
    last = tip;
    if (archive !== null && matches > before) tainted.push({ ref: archive, tip });
  }
  const purge = {
    dropped,
    commits: recent.map(({ commit }) => commit),
    ids: recent.flatMap((commit) => commit.ids),
  };
  return { state: scrubbed(state, target), matches, droppedLines, tainted, purge };
}

function rollOf(reading: EventReading): Roll | null {
  return reading.kind === "event" && reading.event.type === "ledger.rolled" ? reading.event.data : null;
}

/** The chain before is gone, so what it amounted to is all there is. */
function openedBy(roll: Roll, target: PurgeTarget): LedgerState {
  const { number, start } = { number: roll.number, start: roll.state.events + roll.state.quarantined };
  return { ...scrubbed(roll.state, target), chain: { number, start } };
}

function matchesLine(line: string, id: string | null, target: PurgeTarget): boolean {
  if ("id" in target) return id === target.id;
  if (line.includes(target.text)) return true;
  try {
    // The same text can be escaped in several ways; written anew there is only one.
    return JSON.stringify(JSON.parse(line)).includes(JSON.stringify(target.text).slice(1, -1));
  } catch {
    return false;
  }
}

function scrubbed(state: LedgerState, target: PurgeTarget): LedgerState {
  if ("id" in target) return state;
  const clean = JSON.parse(JSON.stringify(state), (_, value: unknown) =>
    typeof value === "string" ? value.replaceAll(target.text, REMOVED) : value,
  );
  const read = CarriedState.safeParse(clean);
  if (!read.success) throw UserError.of(ledgerAdvice.ownWord(target.text));
  return read.data;
}
