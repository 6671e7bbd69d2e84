import { setTimeout as pause } from "node:timers/promises";
import type { Command } from "commander";
import { RunFolders } from "../../adapters/home/run-folders.js";
import { unknownBead } from "../../core/control/unknown-bead.js";
import { redactText } from "../../core/redact.js";
import { tailEndLine, tailHeading } from "../../core/replies/beads/tail.js";
import { controlAdvice, silentLine } from "../../core/replies/control/control.js";
import { refusalAdvice } from "../../core/replies/control/terminal-reply.js";
import { afterReportLine, reportLines, reportOfSlot } from "../../core/replies/run/report-of-slot.js";
import { placeOf } from "../../core/run/ledger/place-of.js";
import type { Slot } from "../../core/run/ledger/slot.js";
import { hasAgent, isOpen } from "../../core/run/ledger/slot-groups.js";
import { cutText } from "../../lib/cut-text.js";
import { plainText } from "../../lib/plain-text.js";
import { UserError } from "../../lib/user-error.js";
import { type WiredProject, wireProject } from "../../wiring/wire-project.js";
import { positiveNumber } from "../arguments.js";
import type { Surface } from "../program.js";
import type { Terminal } from "../text/terminal.js";
import { AgentOutput } from "../wiring/agent-output.js";
import { lookAtEngineHere } from "../wiring/observe-engine.js";
import { projectFolder } from "../wiring/project-folder.js";
import { readLedger } from "../wiring/read-ledger.js";

const SHOWN = 40;
const LONGEST_COMPLAINT = 2_000;
/** How often a file that is followed is looked at, as `tail -f` does. */
const FOLLOW_MS = 500;
const MOST_AT_ONCE = 1_000;

interface TailFlags {
  readonly n?: number;
  readonly follow?: true;
}

export function addTail(command: Command, { program, terminal, version }: Surface): void {
  command
    .option("-n <lines>", "how many lines", positiveNumber)
    .option("-f, --follow", "go on as its agents do more, until none is at work on it")
    .action(async (bead: string, { n = SHOWN, follow }: TailFlags) => {
      const project = await wireProject(projectFolder(program), version, "looking");
      const { state } = await readLedger(project.ledger, terminal.err);
      const slot = state.slots[bead];
      if (!slot) throw UserError.of(refusalAdvice(unknownBead(bead, state)));
      const output = await AgentOutput.open(project, slot);
      if (output === null && !follow)
        throw UserError.of(controlAdvice.noOutput(bead, folderOf(project, slot)));
      terminal.out(tailHeading(slot));
      if (output !== null) await showWhole({ project, slot, output }, n, terminal);
      if (follow) await goOn(project, { slot, output }, terminal);
    });
}

interface Shown {
  readonly project: WiredProject;
  readonly slot: Slot;
  readonly output: AgentOutput;
}

/** The last report and the last lines of what was printed. */
async function showWhole({ project, slot, output }: Shown, n: number, terminal: Terminal): Promise<void> {
  const folders = new RunFolders(project.home, project.config.project_id);
  const reported = hasAgent(slot) ? null : await readReport(slot, folders);
  if (reported !== null) {
    for (const line of reportLines(reported.place, reported.text)) terminal.out(line);
    // A report of this very review says in words what its reviewer printed.
    if (reported.place.kind === "review" && slot.task === "review") return;
    terminal.out(afterReportLine(slot.task));
  }
  const ended = !hasAgent(slot);
  const lines = (await output.more(n, { ended })).map((line) => `  ${line}`);
  const complaints = errorLines(await folders.readErrors(placeOf(slot)));
  for (const line of [...lines, ...complaints.slice(-n)]) terminal.out(line);
  if (lines.length + complaints.length === 0) terminal.out(silentLine(folderOf(project, slot), ended));
}

/** Ends when no agent will do more: the bead is out of the engine's hands, or there is no engine. */
async function goOn(
  project: WiredProject,
  from: { readonly slot: Slot; readonly output: AgentOutput | null },
  terminal: Terminal,
): Promise<void> {
  let { slot, output } = from;
  for (;;) {
    const { state, engine } = await lookAtEngineHere(project);
    const now = state.slots[slot.bead];
    const ended = now === undefined || now.attempt !== slot.attempt || !hasAgent(now);
    for (const line of (await output?.more(MOST_AT_ONCE, { ended })) ?? []) terminal.out(`  ${line}`);
    if (now === undefined || !isOpen(now)) return terminal.out(tailEndLine(slot.bead, now ?? null));
    if (engine === null || engine.state === "gone") return terminal.out(tailEndLine(slot.bead, now));
    if (now.attempt !== slot.attempt) {
      slot = now;
      output = null;
      terminal.out(tailHeading(slot));
    }
    output ??= await AgentOutput.open(project, slot);
    await pause(FOLLOW_MS);
  }
}

function folderOf({ home, config }: WiredProject, slot: Slot): string {
  return new RunFolders(home, config.project_id).folder(placeOf(slot));
}

/** Null when there is none, or not on this machine. */
async function readReport(slot: Slot, folders: RunFolders) {
  const place = reportOfSlot(slot);
  const text = place && (await folders.readReport({ bead: slot.bead, ...place }, place.kind));
  return place === null || text === null ? null : { place, text };
}

/** Standard error is a stream of its own: when a line of it was written, seen from the others, nobody knows. */
function errorLines(text: string): string[] {
  return redactText(text)
    .split("\n")
    .flatMap((line) => {
      const shown = cutText(plainText(line.slice(0, 2 * LONGEST_COMPLAINT)), LONGEST_COMPLAINT);
      return shown === "" ? [] : [`  stderr: ${shown}`];
    });
}
