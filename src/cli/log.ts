import type { LogEntry } from "../adapters/git/ledger-log.js";
import { unheardOfLine } from "../core/replies/control.js";
import { nearestFew } from "../lib/nearest.js";
import { plainText } from "../lib/plain-text.js";
import { beadId } from "./control.js";
import type { Surface } from "./program.js";
import { projectFolder } from "./project-folder.js";
import { wireProject } from "./wire-project.js";

export function addLog({ program, terminal, version }: Surface): void {
  program
    .command("log")
    .description("what the ledger holds, oldest first")
    .option("--bead <id>", "only what concerns this bead", beadId)
    .option("--archived", "also what was rolled into archives")
    .option("--json", "print the events as they are, one per line")
    .action(async ({ bead, archived, json }: { bead?: string; archived?: true; json?: true }) => {
      const { ledger } = await wireProject(projectFolder(program), version);
      const { state } = await ledger.refresh();
      let shown = 0;
      for await (const entry of ledger.log({ bead, archived: archived ?? false })) {
        terminal.out(json ? entry.line : lineText(entry));
        shown += 1;
      }
      if (bead === undefined || shown > 0) return;
      terminal.err(unheardOfLine(bead, nearestFew(bead, Object.keys(state.slots), 3), archived ?? false));
    });
}

function lineText({ position, commit, reading, repeat }: LogEntry): string {
  const where = `${String(position).padStart(6)} ${commit.slice(0, 10)}`;
  switch (reading.kind) {
    case "quarantined":
      return `${where}  quarantined: ${plainText(reading.reason)}`;
    case "unknown":
      return `${where}  unknown ${plainText(reading.type)}${reading.critical ? ` (needs ${plainText(reading.needs)})` : ""}`;
    case "event": {
      const { at, type, bead, actor, data, evidence } = reading.event;
      const what = plainText(JSON.stringify(data)).slice(0, 160);
      const there = evidence ? `  ${plainText(evidence.url).slice(0, 200)}` : "";
      return `${where}  ${plainText(at)}  ${plainText(actor)}  ${type}${bead ? ` ${plainText(bead)}` : ""}  ${what}${there}${repeat ? "  (repeat)" : ""}`;
    }
  }
}
