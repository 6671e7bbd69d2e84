import { existsSync } from "node:fs";
import type { Command } from "commander";
import { clonePaths } from "../../adapters/git/exec/project-paths.js";
import { type BeadWork, readBeadWork } from "../../adapters/git/landing/bead-work.js";
import { RunFolders } from "../../adapters/home/run-folders.js";
import { docsPath } from "../../adapters/project/docs-path.js";
import { unknownBead } from "../../core/control/unknown-bead.js";
import { redactCode } from "../../core/redact.js";
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

/** More than anybody reads, and less than fills the memory. */
const MOST_CHARACTERS = 20_000_000;
const STAT_CHARACTERS = 100_000;

interface OpenedBead {
  readonly project: WiredProject;
  readonly state: LedgerState;
  readonly slot: Slot;
}

/** What became of one bead, for whoever has to decide about it. */
export function addShow(command: Command, surface: Surface): void {
  const { terminal } = surface;
  command.option("--json", asJson()).action(async (bead: string, flags: { json?: true }) => {
    const { project, state, slot } = await openBead(surface, bead);
    const { home, config, projectHome } = project;
    const named = workRange(slot);
    const work = named && (await workOf(project, { slot, range: named }, STAT_CHARACTERS));
    const { clone } = clonePaths(projectHome, bead);
    const page = {
      slot,
      hold: state.holds[bead],
      underWay: isUnderWay(state),
      range: named && foundRange(named, work),
      work,
      repository: home.repository(config.project_id),
      clone: existsSync(clone) ? clone : null,
      folder: new RunFolders(home, config.project_id).folder(placeOf(slot)),
    };
    if (flags.json) return terminal.out(JSON.stringify(beadPageJson(page), null, 2));
    terminal.out(beadPageText(page, Date.now(), terminal.paint).join("\n"));
  });
}

export function addDiff(command: Command, surface: Surface): void {
  const { terminal } = surface;
  command
    .option("--stat", "only the files and how much changes in each")
    .option("--json", asJson())
    .action(async (bead: string, flags: { json?: true; stat?: true }) => {
      const { project, slot } = await openBead(surface, bead);
      const range = workRange(slot);
      if (range === null) throw UserError.of(beadAdvice.noCommits(bead));
      const work = await workOf(project, { slot, range }, MOST_CHARACTERS);
      if (work === null) throw UserError.of(beadAdvice.elsewhere(bead));
      const { stat, diff } = work;
      const found = foundRange(range, work);
      if (flags.json) return terminal.out(JSON.stringify({ bead, ...found, stat, diff }, null, 2));
      terminal.out(flags.stat ? stat.trimEnd() : diffText(diff, terminal.paint));
    });
}

function asJson(): string {
  return `print JSON, as ${docsPath("json.md")} describes it`;
}

async function openBead({ program, terminal, version }: Surface, bead: string): Promise<OpenedBead> {
  const project = await wireProject(projectFolder(program), version, "looking");
  const { state } = await readLedger(project.ledger, terminal.err);
  const slot = state.slots[bead];
  if (slot === undefined) throw UserError.of(refusalAdvice(unknownBead(bead, state)));
  return { project, state, slot };
}

/** Null where neither this machine nor the remote has its commits. */
async function workOf(
  project: WiredProject,
  { slot, range }: { readonly slot: Slot; readonly range: WorkRange },
  mostCharacters: number,
): Promise<BeadWork | null> {
  const repository = project.home.repository(project.config.project_id);
  const here = await readBeadWork(repository, range, mostCharacters);
  if (here !== null || slot.landed !== null) return here && withoutSecrets(here);
  // Another machine saves what it was given, and signs it afterwards.
  const saved = await savedTip(project, slot.bead);
  const there =
    saved === null ? null : await readBeadWork(repository, { ...range, head: saved }, mostCharacters);
  return there && withoutSecrets(there);
}

/** A terminal is recorded and shared as a log is; git shows the commits as they are. */
function withoutSecrets({ commits, stat, diff }: BeadWork): BeadWork {
  const subjects = commits.map((commit) => ({ ...commit, subject: redactCode(commit.subject) }));
  return { commits: subjects, stat: redactCode(stat), diff: redactCode(diff) };
}

/** The commits as they are here. */
function foundRange(range: WorkRange, work: BeadWork | null): WorkRange {
  return { ...range, head: work?.commits.at(-1)?.sha ?? range.head };
}

/** Brings what another machine saved on the remote into the engine's repository; null where there is nothing. */
async function savedTip(project: WiredProject, bead: string): Promise<string | null> {
  const { openClones } = await import("../../wiring/start-engine.js");
  try {
    const branch = await openClones(project).branch(bead);
    return branch?.tip ?? null;
  } catch (error) {
    // Without the remote the page shows what this machine knows.
    if (error instanceof UserError) return null;
    throw error;
  }
}
