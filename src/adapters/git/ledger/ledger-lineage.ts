import { ledgerAdvice } from "../../../core/replies/ledger/ledger.js";
import type { EventData } from "../../../core/run/ledger/event-data.js";
import { LedgerError } from "../../../core/run/ledger/ledger-error.js";
import { eventReader, readEvent } from "../../../core/run/ledger/ledger-event.js";
import { firstCommit, readLedgerCommits } from "./ledger-commits.js";
import type { LedgerRemote } from "./ledger-remote.js";
import { type Folded, idOf } from "./ledger-replay.js";
import { EMPTY_TREE, mustGit } from "./ledger-repository.js";

export type Roll = EventData<"ledger.rolled">;

/** How a tip in a new chain follows from one in an earlier chain. */
export interface Crossing {
  /** Ids of events the remote holds after the earlier tip, in chains that are archived or purged by now. */
  readonly passed: ReadonlySet<string>;
  /** Ids that were purged: they must not come back. */
  readonly dropped: ReadonlySet<string>;
  readonly purged: boolean;
}

export interface LineageFacts {
  readonly gitDir: string;
  readonly remote: LedgerRemote;
  readonly ref: string;
}

export function archiveRef(ref: string, chain: number): string {
  return `${ref}-${chain}`;
}

/**
 * Walks from a tip back through the rolls until `seen` is met. Null when it is not: then events that were
 * on the remote are gone from it. A roll counts only with the chain before it archived, or purged and the
 * commit we know among those it names.
 */
export async function crossRolls(facts: LineageFacts, seen: string, tip: string): Promise<Crossing | null> {
  const passed = new Set<string>();
  const dropped = new Set<string>();
  let purged = false;
  for (let at = tip; ; ) {
    const roll = await openingRoll(facts.gitDir, at);
    if (roll === null) return null;
    if (roll.purge !== null) {
      if (!roll.purge.commits.includes(seen)) return null;
      purged = true;
      for (const id of roll.purge.ids) passed.add(id);
      for (const id of roll.purge.dropped) dropped.add(id);
      return { passed, dropped, purged };
    }
    const archive = await facts.remote.fetch(archiveRef(facts.ref, roll.number - 1));
    if (archive === null || archive !== roll.previous) return null;
    const met = await collectIds(facts.gitDir, archive, seen, passed);
    if (met) return { passed, dropped, purged };
    at = archive;
  }
}

/**
 * Throws where the ref holds what koryph did not begin: somebody's branch, most likely, which an append would make
 * into an empty one. Single commits with files on a ledger do no harm, and anyone who can push can put them there.
 */
export async function refuseOthersCommits(
  { gitDir, ref }: LineageFacts,
  tip: string,
  folded: Folded | null,
): Promise<void> {
  const first = await firstCommit(gitDir, tip);
  if (first.tree === EMPTY_TREE && (folded?.state.events || (await treeOf(gitDir, tip)) === EMPTY_TREE))
    return;
  throw new LedgerError("rewound", ledgerAdvice.notALedger(ref, tip));
}

async function treeOf(gitDir: string, commit: string): Promise<string> {
  return (await mustGit(gitDir, ["rev-parse", `${commit}^{tree}`])).trim();
}

/** The roll a chain was opened by; null for the first chain, and for one whose opening cannot be read. */
async function openingRoll(gitDir: string, tip: string): Promise<Roll | null> {
  const { lines } = await firstCommit(gitDir, tip);
  const reading = readEvent(lines[0] ?? "");
  return reading.kind === "event" && reading.event.type === "ledger.rolled" ? reading.event.data : null;
}

/** Adds the ids after `seen`, or all of them when the chain does not hold it; says whether it does. */
async function collectIds(gitDir: string, tip: string, seen: string, into: Set<string>): Promise<boolean> {
  if (tip === seen) return true;
  const read = eventReader();
  let met = false;
  let first = true;
  for await (const commits of readLedgerCommits(gitDir, [tip, `^${seen}`])) {
    for (const { parents, lines } of commits) {
      if (first) met = parents[0] === seen;
      first = false;
      for (const line of lines) {
        const id = idOf(read(line));
        if (id !== null) into.add(id);
      }
    }
  }
  return met;
}
