import { existsSync } from "node:fs";
import { clonePaths } from "../../adapters/git/exec/project-paths.js";
import { type BeadWork, readBeadWork } from "../../adapters/git/landing/bead-work.js";
import { RunFolders } from "../../adapters/home/run-folders.js";
import { docsPath } from "../../adapters/project/docs-path.js";
import { unknownBead } from "../../core/control/unknown-bead.js";
import { beadPageJson, beadPageText } from "../../core/replies/beads/bead-page.js";
import { beadAdvice, diffText } from "../../core/replies/beads/diff-text.js";
import { refusalAdvice } from "../../core/replies/control/terminal-reply.js";
import { isUnderWay, type LedgerState } from "../../core/run/ledger/ledger-state.js";
import { placeOf } from "../../core/run/ledger/place-of.js";
import type { Slot } from "../../core/run/ledger/slot.js";
import { type WorkRange, workRange } from "../../core/run/plan/work-range.js";
import { UserError } from "../../lib/user-error.js";
import { type WiredProject, wireProject } from "../../wiring/wire-project.js";
import type { Surface } from "../program.js";
import { projectFolder } from "../wiring/project-folder.js";
import { readLedger } from "../wiring/read-ledger.js";
import { beadId } from "./control.js";

/** More than anybody reads, and less than fills the memory. */
const MOST_CHARACTERS = 20_000_000;
const STAT_CHARACTERS = 100_000;

interface OpenedBead {
  readonly project: WiredProject;
  readonly state: LedgerState;
  readonly slot: Slot;
}

/** What became of one bead, for whoever has to decide about it. */
export function addShow({ program, terminal, version }: Surface): void {
  const json = `print JSON, as ${docsPath("json.md")} describes it`;
  const open = async (bead: string): Promise<OpenedBead> => {
    const project = await wireProject(projectFolder(program), version, "looking");
    const { state } = await readLedger(project.ledger, terminal.err);
    const slot = state.slots[bead];
    if (slot === undefined) throw UserError.of(refusalAdvice(unknownBead(bead, state)));
    return { project, state, slot };
  };
  program
    .command("show")
    .description("a bead's work: commits, changed files, review, gate, and what brings it on")
    .argument("<bead>", "which bead", beadId)
    .option("--json", json)
    .action(async (bead: string, flags: { json?: true }) => {
      const { project, state, slot } = await open(bead);
      const { home, config, projectHome } = project;
      const range = workRange(slot);
      const { clone } = clonePaths(projectHome, bead);
      const page = {
        slot,
        hold: state.holds[bead],
        underWay: isUnderWay(state),
        range,
        work: range && (await workOf(project, range, STAT_CHARACTERS)),
        repository: home.repository(config.project_id),
        clone: existsSync(clone) ? clone : null,
        folder: new RunFolders(home, config.project_id).folder(placeOf(slot)),
      };
      if (flags.json) return terminal.out(JSON.stringify(beadPageJson(page), null, 2));
      terminal.out(beadPageText(page, Date.now(), terminal.paint).join("\n"));
    });
  program
    .command("diff")
    .description("the change that a bead's commits make, as a patch")
    .argument("<bead>", "which bead", beadId)
    .option("--stat", "only the files and how much changes in each")
    .option("--json", json)
    .action(async (bead: string, flags: { json?: true; stat?: true }) => {
      const { project, slot } = await open(bead);
      const range = workRange(slot);
      if (range === null) throw UserError.of(beadAdvice.noCommits(bead));
      const work = await workOf(project, range, MOST_CHARACTERS);
      if (work === null) throw UserError.of(beadAdvice.elsewhere(bead));
      const { stat, diff } = work;
      if (flags.json) return terminal.out(JSON.stringify({ bead, ...range, stat, diff }, null, 2));
      terminal.out(flags.stat ? stat.trimEnd() : diffText(diff, terminal.paint));
    });
}

function workOf(
  { home, config }: WiredProject,
  range: WorkRange,
  mostCharacters: number,
): Promise<BeadWork | null> {
  return readBeadWork(home.repository(config.project_id), range, mostCharacters);
}
