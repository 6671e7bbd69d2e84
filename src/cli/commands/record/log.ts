import type { Command } from "commander";
import type { LogEntry } from "../../../adapters/git/ledger/ledger-log.js";
import { emptyLogLine } from "../../../core/replies/control/control.js";
import { neededVersion } from "../../../core/replies/ledger/needed-version.js";
import { dataText, shownData } from "../../../core/replies/run/log.js";
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
  readonly json?: true;
}

export function addLog(command: Command, { program, terminal, version }: Surface): void {
  command
    .option("--bead <id>", "only what concerns this bead", beadId)
    .option("-n <count>", "only the last ones", positiveNumber)
    .option("--archived", "also what was rolled into archives")
    .option("--json", "print the events as they are, one per line")
    .action(async ({ bead, n, archived = false, json }: LogFlags) => {
      const { ledger } = await wireProject(projectFolder(program), version, "looking");
      const { state } = await readLedger(ledger, terminal.err);
      const entries = ledger.log({ bead, archived });
      let shown = 0;
      for await (const entry of n === undefined ? entries : await last(n, entries)) {
        terminal.out(json ? entry.line : lineText(entry));
        shown += 1;
      }
      if (bead === undefined || shown > 0) return;
      terminal.err(emptyLogLine(bead, state, archived));
    });
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
