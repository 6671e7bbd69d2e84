import { RunFolders } from "../../adapters/home/run-folders.js";
import { openRuntime } from "../../adapters/runtimes/open-runtime.js";
import { controlAdvice, silentLine } from "../../core/replies/control/control.js";
import { refusalAdvice } from "../../core/replies/control/terminal-reply.js";
import { afterReportLine, reportLines, reportOfSlot } from "../../core/replies/run/report-of-slot.js";
import { taskText } from "../../core/replies/run/task-text.js";
import { placeOf } from "../../core/run/ledger/place-of.js";
import type { Slot } from "../../core/run/ledger/slot.js";
import { hasAgent } from "../../core/run/ledger/slot-groups.js";
import type { AgentEvent } from "../../core/runtimes/agent-outcome.js";
import { cutText } from "../../lib/cut-text.js";
import { plainText } from "../../lib/plain-text.js";
import { UserError } from "../../lib/user-error.js";
import type { Surface } from "../program.js";
import { projectFolder } from "../wiring/project-folder.js";
import { readLedger } from "../wiring/read-ledger.js";
import { wireProject } from "../wiring/wire-project.js";
import { beadId, positiveNumber } from "./control.js";

const SHOWN = 40;

export function addTail({ program, terminal, version }: Surface): void {
  program
    .command("tail")
    .description(
      "what was found wrong with a bead last, and what its agent did, as files on this machine tell",
    )
    .argument("<bead>", "which bead", beadId)
    .option("-n <lines>", "how many lines", positiveNumber)
    .action(async (bead: string, { n = SHOWN }: { n?: number }) => {
      const project = await wireProject(projectFolder(program), version, "looking");
      const { state } = await readLedger(project.ledger, terminal.err);
      const slot = state.slots[bead];
      if (!slot) throw UserError.of(refusalAdvice({ code: "unknown_bead", bead }));
      const folders = new RunFolders(project.home, project.config.project_id);
      const place = placeOf(slot);
      const launch = await folders.readLaunch(place);
      const folder = folders.folder(place);
      if (launch === null) throw UserError.of(controlAdvice.noOutput(bead, folder));
      terminal.out(`${bead}, ${taskText(slot)}, ${slot.status}`);
      const reported = hasAgent(slot) ? null : await readReport(slot, folders);
      if (reported !== null) {
        for (const line of reportLines(reported.place, reported.text)) terminal.out(line);
        // A report of this very review says in words what its reviewer printed.
        if (reported.place.kind === "review" && slot.task === "review") return;
        terminal.out(afterReportLine(slot.task));
      }
      const parser = openRuntime(launch.runtime, project).parser(launch.spec, launch.probe);
      const told: string[] = [];
      for (let from = 0; ; ) {
        const { lines, next } = await folders.readOutput(place, from);
        for (const line of lines) told.push(...parser.push(line).map(eventText));
        if (next === from) break;
        from = next;
      }
      const complaints = errorLines(await folders.readErrors(place));
      for (const line of [...told.slice(-n), ...complaints.slice(-n)]) terminal.out(line);
      if (told.length + complaints.length === 0) terminal.out(silentLine(folder));
    });
}

/** Null when there is none, or not on this machine. */
async function readReport(slot: Slot, folders: RunFolders) {
  const place = reportOfSlot(slot);
  const text = place && (await folders.readReport({ bead: slot.bead, ...place }, place.kind));
  return place === null || text === null ? null : { place, text };
}

/** Standard error is a stream of its own: when a line of it was written, seen from the others, nobody knows. */
function errorLines(text: string): string[] {
  return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [`  stderr: ${shown(line)}`]));
}

/** An agent may print a line of any length. */
const LONGEST_LINE = 2_000;

function shown(text: string): string {
  return cutText(plainText(text.slice(0, 2 * LONGEST_LINE)), LONGEST_LINE);
}

function eventText(event: AgentEvent): string {
  switch (event.kind) {
    case "session":
      return `  session ${plainText(event.id)}${event.model ? ` on ${plainText(event.model)}` : ""}`;
    case "text":
      return `  ${shown(event.text)}`;
    case "tool":
      return `  ${event.phase === "start" ? "→" : event.ok === false ? "✗" : "✓"} ${plainText(event.name)}`;
    case "denied":
      return `  denied: ${plainText(event.tool)}`;
    case "retry":
      return `  retry ${event.attempt}: ${plainText(event.reason)}`;
    case "limit":
      return `  rate limit: ${event.state}`;
    case "usage":
      return `  cost $${event.costUsd.toFixed(4)}`;
  }
}
