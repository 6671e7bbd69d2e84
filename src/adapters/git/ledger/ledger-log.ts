import { type EventReading, eventReader, type LedgerEvent } from "../../../core/run/ledger/ledger-event.js";
import type { LedgerView } from "../../../ports/ledger.js";
import { allChains, type Chain } from "./ledger-chains.js";
import { readLedgerCommits } from "./ledger-commits.js";
import type { LineageFacts } from "./ledger-lineage.js";
import { idOf } from "./ledger-replay.js";

export interface LogOptions {
  /** Only lines about this bead. */
  readonly bead?: string | undefined;
  /** Earlier chains too; they are fetched from the remote. */
  readonly archived?: boolean;
}

export interface LogEntry {
  readonly chain: number;
  /** Place in its chain, from 1. This, not the time, says what came first. */
  readonly position: number;
  readonly commit: string;
  /** As it was written, for readers that know more than this koryph. */
  readonly line: string;
  /** Unknown and quarantined lines are shown as such. */
  readonly reading: EventReading;
  /** An earlier line of the chain has the same id, so this one changed nothing. */
  readonly repeat: boolean;
}

export async function* readLog(
  facts: LineageFacts,
  view: LedgerView,
  { bead, archived = false }: LogOptions,
): AsyncGenerator<LogEntry, void, undefined> {
  const read = eventReader();
  for await (const chain of archived ? allChains(facts, view) : currentChain(view)) {
    const ids = new Set<string>();
    let position = 0;
    for await (const commits of readLedgerCommits(facts.gitDir, [chain.tip])) {
      for (const { commit, lines } of commits) {
        for (const line of lines) {
          position += 1;
          const reading = read(line);
          const id = idOf(reading);
          const repeat = id !== null && ids.has(id);
          if (id !== null) ids.add(id);
          if (bead === undefined || beadOf(line) === bead)
            yield { chain: chain.number, position, commit, line, reading, repeat };
        }
      }
    }
  }
}

/** The readable events of the chain's newest commits, each once. */
export async function readRecent(
  gitDir: string,
  { tip }: LedgerView,
  most: number,
): Promise<readonly LedgerEvent[]> {
  const found = new Map<string, LedgerEvent>();
  if (tip === null) return [];
  const read = eventReader();
  for await (const commits of readLedgerCommits(gitDir, [`--max-count=${most}`, tip]))
    for (const line of commits.flatMap(({ lines }) => lines)) {
      const reading = read(line);
      if (reading.kind === "event" && !found.has(reading.event.id))
        found.set(reading.event.id, reading.event);
    }
  return [...found.values()];
}

async function* currentChain({ tip, state }: LedgerView): AsyncGenerator<Chain> {
  if (tip !== null) yield { number: state.chain.number, tip, archive: null };
}

function beadOf(line: string): unknown {
  try {
    return JSON.parse(line)?.bead;
  } catch {
    return undefined;
  }
}
