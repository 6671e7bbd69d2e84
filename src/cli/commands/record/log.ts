import type { Command } from "commander";
import type { LogEntry } from "../../../adapters/git/ledger/ledger-log.js";
import { type RecordedAct, readAuditLog } from "../../../adapters/home/read-audit-log.js";
import { emptyLogLine } from "../../../core/replies/control/control.js";
import { neededVersion } from "../../../core/replies/ledger/needed-version.js";
import { dataText, shownData } from "../../../core/replies/run/log.js";
import { isAct, isAudited } from "../../../core/run/ledger/is-audited.js";
import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";
import { wireProject } from "../../../wiring/wire-project.js";
import { beadId, positiveNumber } from "../../arguments.js";
import type { Surface } from "../../program.js";
import { projectFolder } from "../../wiring/project-folder.js";
import { readLedger } from "../../wiring/read-ledger.js";

interface LogFlags {
  readonly bead?: string;
  readonly n?: number;
  readonly archived?: boolean;
  readonly audit?: true;
  readonly json?: true;
}

export function addLog(command: Command, { program, terminal, version }: Surface): void {
  command
    .option("--bead <id>", "only what concerns this bead", beadId)
    .option("-n <count>", "only the last ones", positiveNumber)
    .option("--archived", "also what was rolled into archives")
    .option("--audit", "only what somebody answers for, with what was done on this machine")
    .option("--json", "print the events as they are, one per line")
    .action(async ({ bead, n, archived = false, audit, json }: LogFlags) => {
      const { ledger, home, config } = await wireProject(projectFolder(program), version, "looking");
      const { state } = await readLedger(ledger, terminal.err);
      const entries = ledger.log({ bead, archived });
      if (audit) {
        const machine = bead === undefined ? await readAuditLog(home.auditLog, config.project_id) : [];
        for (const { line, text } of await audited(entries, machine, n)) terminal.out(json ? line : text);
        return;
      }
      let shown = 0;
      for await (const entry of n === undefined ? entries : await last(n, entries)) {
        terminal.out(json ? entry.line : lineText(entry));
        shown += 1;
      }
      if (bead === undefined || shown > 0) return;
      terminal.err(emptyLogLine(bead, state, archived));
    });
}

interface AuditedAct {
  readonly at: string;
  readonly line: string;
  readonly text: string;
}

/** Both records in one row, by the time that each was written with. */
async function audited(
  entries: AsyncIterable<LogEntry>,
  machine: readonly RecordedAct[],
  count: number | undefined,
): Promise<AuditedAct[]> {
  // A word to the engine is on record here, too.
  const own = machine.filter(({ kind }) => !isAct(kind));
  const acts: AuditedAct[] = own.map((act) => {
    const { at, actor, kind, detail } = act;
    const data = dataText({ data: typeof detail === "object" && detail !== null ? detail : { detail } });
    const parts = ["on this machine  ", plainText(at), plainText(actor), plainText(kind), data];
    return {
      at,
      line: JSON.stringify({ ...act, source: "machine" }),
      text: parts.filter(Boolean).join("  "),
    };
  });
  for await (const entry of entries)
    if (entry.reading.kind === "event" && isAudited(entry.reading.event))
      acts.push({ at: entry.reading.event.at, line: entry.line, text: lineText(entry) });
  const sorted = acts.sort((x, y) => Date.parse(x.at) - Date.parse(y.at));
  return count === undefined ? sorted : sorted.slice(-count);
}

/** However long the ledger is, no more than twice so many are kept. */
async function last<T>(count: number, items: AsyncIterable<T>): Promise<T[]> {
  let kept: T[] = [];
  for await (const item of items) {
    kept.push(item);
    if (kept.length >= 2 * count) kept = kept.slice(-count);
  }
  return kept.slice(-count);
}

const LONGEST_URL = 200;

function lineText({ position, commit, reading, repeat }: LogEntry): string {
  const where = `${String(position).padStart(6)} ${commit.slice(0, 10)}`;
  switch (reading.kind) {
    case "quarantined":
      return `${where}  quarantined: ${plainText(reading.reason)}`;
    case "unknown":
      return `${where}  unknown ${plainText(reading.type)}${reading.critical ? ` (needs ${neededVersion(reading.needs)})` : ""}`;
    case "event": {
      const { at, type, bead, actor, evidence } = reading.event;
      const about = bead ? `${type} ${plainText(bead)}` : type;
      const there = evidence ? cutText(plainText(evidence.url), LONGEST_URL) : "";
      const parts = [
        where,
        plainText(at),
        plainText(actor),
        about,
        dataText(shownData(reading.event)),
        there,
      ];
      return [...parts, repeat ? "(repeat)" : ""].filter((part) => part !== "").join("  ");
    }
  }
}
