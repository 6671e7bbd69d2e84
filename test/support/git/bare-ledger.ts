import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readLedgerCommits, writeLedgerCommit } from "../../../src/adapters/git/ledger/ledger-commits.js";
import { fold } from "../../../src/core/run/ledger/fold/fold.js";
import {
  type EventReading,
  type NewEvent,
  readEvent,
  writeEvent,
} from "../../../src/core/run/ledger/ledger-event.js";
import { emptyState, type LedgerState } from "../../../src/core/run/ledger/ledger-state.js";
import { ulid } from "../../../src/lib/ulid.js";

const REF = "refs/koryph/ledger";

export interface BareEntry {
  readonly line: string;
  readonly reading: EventReading;
  /** An earlier line has the same id, so this one changed nothing. */
  readonly repeat: boolean;
}

/** The ledger in the remote itself: quicker than a clone of it, and what it holds is what everybody gets. */
export async function readBareLedger(gitDir: string): Promise<{ entries: BareEntry[]; state: LedgerState }> {
  const tip = tipOf(gitDir);
  const entries: BareEntry[] = [];
  const state = emptyState();
  const seen = new Set<string>();
  if (tip === "") return { entries, state };
  for await (const commits of readLedgerCommits(gitDir, [tip])) {
    for (const line of commits.flatMap(({ lines }) => lines)) {
      const reading = readEvent(line);
      const id = idIn(line);
      const repeat = id !== null && seen.has(id);
      if (id !== null) seen.add(id);
      if (!repeat) fold(state, reading);
      entries.push({ line, reading, repeat });
    }
  }
  return { entries, state };
}

/** Null for a line that has none, as forgers write them. */
function idIn(line: string): string | null {
  try {
    const { id } = JSON.parse(line) as { id?: string };
    return id ?? null;
  } catch {
    return null;
  }
}

/** As if an engine elsewhere had pushed them. */
export async function writeBareLedger(gitDir: string, events: readonly NewEvent[]): Promise<void> {
  const at = Date.now();
  const stamp = () => ({ id: ulid(at, randomBytes(10)), at: new Date(at).toISOString(), actor: "engine" });
  const lines = events.map((event) => writeEvent({ ...stamp(), ...event }));
  const parent = tipOf(gitDir);
  const tip = await writeLedgerCommit(gitDir, {
    parent: parent === "" ? null : parent,
    subject: "test",
    lines,
    at,
  });
  // The empty tree that every commit of a ledger has.
  execFileSync("git", ["hash-object", "-t", "tree", "-w", "/dev/null"], { cwd: gitDir });
  execFileSync("git", ["update-ref", REF, tip, parent], { cwd: gitDir });
}

function tipOf(gitDir: string): string {
  return execFileSync("git", ["for-each-ref", "--format=%(objectname)", REF], {
    cwd: gitDir,
    encoding: "utf8",
  }).trim();
}
