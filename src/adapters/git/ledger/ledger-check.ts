import { ledgerShape } from "../../../core/replies/ledger/ledger.js";
import { eventReader } from "../../../core/run/ledger/ledger-event.js";
import { readLedgerCommits } from "./ledger-commits.js";
import { idOf } from "./ledger-replay.js";
import { EMPTY_TREE, mustGit } from "./ledger-repository.js";

export interface CheckReport {
  readonly tip: string | null;
  readonly commits: number;
  /** Lines that count: known and unknown events, repeats left out. */
  readonly events: number;
  readonly repeats: number;
  /** Commits that are only here so far. */
  readonly unshared: number;
  readonly quarantined: readonly { readonly commit: string; readonly reason: string }[];
  /** How many events of each type this koryph does not know. */
  readonly unknown: Readonly<Record<string, number>>;
  /** Commits that are not what koryph writes. They do no harm, but somebody made them. */
  readonly shape: readonly { readonly commit: string; readonly problem: string }[];
  readonly sizeKib: number;
}

/** Reads the whole current chain and says what is in it. */
export async function checkChain(
  gitDir: string,
  tip: string | null,
  shared: string | null,
): Promise<CheckReport> {
  const quarantined: { commit: string; reason: string }[] = [];
  const shape: { commit: string; problem: string }[] = [];
  const unknown: Record<string, number> = Object.create(null);
  const ids = new Set<string>();
  const read = eventReader();
  let commits = 0;
  let lines = 0;
  let repeats = 0;
  let unshared = 0;
  let sharedSeen = shared === null;
  for await (const batch of tip === null ? [] : readLedgerCommits(gitDir, [tip])) {
    for (const { commit, tree, parents, lines: own } of batch) {
      commits += 1;
      if (sharedSeen) unshared += 1;
      sharedSeen ||= commit === shared;
      if (parents.length > 1) shape.push({ commit, problem: ledgerShape.merge });
      if (tree !== EMPTY_TREE) shape.push({ commit, problem: ledgerShape.tree });
      for (const line of own) {
        lines += 1;
        const reading = read(line);
        const id = idOf(reading);
        if (id !== null && ids.has(id)) {
          repeats += 1;
          continue;
        }
        if (id !== null) ids.add(id);
        if (reading.kind === "quarantined") quarantined.push({ commit, reason: reading.reason });
        if (reading.kind === "unknown") unknown[reading.type] = (unknown[reading.type] ?? 0) + 1;
        if (reading.kind === "event" && reading.event.type === "ledger.rolled" && lines > 1)
          shape.push({ commit, problem: ledgerShape.lateRoll });
      }
    }
  }
  const sizeKib = await sizeOf(gitDir);
  return { tip, commits, events: ids.size, repeats, unshared, quarantined, unknown, shape, sizeKib };
}

async function sizeOf(gitDir: string): Promise<number> {
  const out = await mustGit(gitDir, ["count-objects", "-v"]);
  const sizes = [...out.matchAll(/^size(?:-pack|-garbage)?: (\d+)$/gm)];
  return sizes.reduce((sum, [, kib]) => sum + Number(kib), 0);
}
