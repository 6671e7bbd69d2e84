import { type Command, InvalidArgumentError } from "commander";
import { openHome } from "../../adapters/home/koryph-home.js";
import { Registry } from "../../adapters/home/registry.js";
import type { RegistryEntry } from "../../core/config/registry-entry.js";
import { parseBeadId } from "../../core/model/bead.js";
import { controlAdvice, controlWords } from "../../core/replies/control/control.js";
import { unheardLine } from "../../core/replies/run/engine-observation.js";
import { isUnderWay } from "../../core/run/ledger/ledger-state.js";
import { type Advice, UserError } from "../../lib/user-error.js";
import type { Surface } from "../program.js";
import { refuseUsage } from "../text/refuse-usage.js";
import { lookAtEngine } from "../wiring/observe-engine.js";
import { projectFolder } from "../wiring/project-folder.js";
import { shareLedger } from "../wiring/read-ledger.js";
import { wireProject } from "../wiring/wire-project.js";
import { drain, hold, inject, nudge, type Request, resize, retry, stop, unhold } from "./control-requests.js";

/** Verbs that leave a word in the ledger for the engine, wherever it runs. */
export function addControl(surface: Surface): void {
  const { program } = surface;
  program
    .command("drain")
    .description("let running agents finish, start no new ones, then end the run (exit 4)")
    .option("--all-projects", "every registered project")
    .action((flags: { allProjects?: true }) => ask(surface, flags, drain()));
  program
    .command("resize")
    .description("change how many agents may work at once, in the run that is under way")
    .option("--max <n>", "the new width", wholeNumber)
    .option("--clear", "back to what the run was started with")
    .option("--force", "also above max_concurrent_slots")
    .option("--all-projects", "every registered project")
    .action((flags: ResizeFlags, command: Command) => {
      if ((flags.max === undefined) === (flags.clear === undefined))
        refuseUsage(command, controlAdvice.resizeWhat());
      return ask(surface, flags, resize(flags.max ?? null, flags.force ?? false));
    });
  program
    .command("nudge")
    .description("put a message into the inbox of a bead's agent")
    .argument("<bead>", "which bead", beadId)
    .argument("<text...>", "what to tell it")
    .action((bead: string, text: string[]) => ask(surface, {}, nudge(bead, text.join(" "))));
  program
    .command("stop")
    .description("stop a bead's agent; what it has committed goes on, else the bead is queued again")
    .argument("[bead]", "which bead", beadId)
    .option("--all", "all agents of the run")
    .option("--force", "kill without asking first")
    .option("--all-projects", "every registered project, with --all")
    .action((bead: string | undefined, flags: StopFlags, command: Command) => {
      if ((bead === undefined) === (flags.all === undefined)) refuseUsage(command, controlAdvice.stopWhat());
      return ask(surface, flags, stop(bead ?? null, flags.force ?? false));
    });
  program
    .command("retry")
    .description(
      "send a bead that is blocked, in conflict or finished back to an agent, with its counters at zero",
    )
    .argument("<bead>", "which bead", beadId)
    .action((bead: string) => ask(surface, {}, retry(bead)));
  program
    .command("hold")
    .description("start no new attempt at a bead and land nothing of it, until unhold")
    .argument("<bead>", "which bead", beadId)
    .argument("[reason...]", "why, for whoever asks")
    .action((bead: string, reason: string[]) => ask(surface, {}, hold(bead, reason.join(" "))));
  program
    .command("unhold")
    .description("let a bead that is held go on")
    .argument("<bead>", "which bead", beadId)
    .action((bead: string) => ask(surface, {}, unhold(bead)));
  program
    .command("inject")
    .description("let a run that is limited to a parent or a bead also take this ready bead")
    .argument("<bead>", "which bead", beadId)
    .action((bead: string) => ask(surface, {}, inject(bead)));
}

interface ResizeFlags {
  readonly max?: number;
  readonly clear?: true;
  readonly force?: true;
  readonly allProjects?: true;
}

interface StopFlags {
  readonly all?: true;
  readonly force?: true;
  readonly allProjects?: true;
}

async function ask(surface: Surface, flags: { allProjects?: true }, request: Request): Promise<void> {
  if (!flags.allProjects) {
    const advice = await askProject(surface, projectFolder(surface.program), request);
    if (advice !== null) throw UserError.of(advice);
    return;
  }
  let [asked, failed] = [0, 0];
  for (const { id, root } of await registered()) {
    try {
      const advice = await askProject(surface, root, request);
      if (advice === null) asked += 1;
      else surface.terminal.err(`${id}: ${advice.message}`);
    } catch (error) {
      // What is wrong with one project must not keep the others from being stopped.
      if (!(error instanceof UserError)) throw error;
      failed += 1;
      surface.terminal.err(controlWords.failed(id, error.message));
    }
  }
  if (failed > 0) throw UserError.of(controlAdvice.someFailed(failed));
  if (asked === 0) throw UserError.of(controlAdvice.noRunAnywhere());
}

/** What is to be said when the request is pointless because no run is under way; else null. */
async function askProject(surface: Surface, folder: string, request: Request): Promise<Advice | null> {
  const { out, err } = surface.terminal;
  const project = await wireProject(folder, surface.version);
  const { ledger, config, audit, actor } = project;
  const { state, engine } = await lookAtEngine(project, err);
  const running = isUnderWay(state);
  if (!running && request.needsRun) return request.needsRun;
  const { event, said } = await request.plan(state, project);
  if (event !== null) {
    await ledger.observe([event]);
    await shareLedger(ledger, err);
    await audit.record({ kind: event.type, projectId: config.project_id, actor, detail: event.data });
  }
  out(`${config.project_id}: ${said}${running ? "" : controlWords.noRun()}`);
  if (engine?.state === "gone") err(unheardLine(config.project_id, engine, request.clearedByRuns ?? false));
  return null;
}

async function registered(): Promise<readonly RegistryEntry[]> {
  const { entries } = await new Registry(await openHome()).list();
  if (entries.length === 0) throw UserError.of(controlAdvice.noProjects());
  return entries;
}

export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It takes a whole number of at least 1.");
  return Number(text);
}

export function beadId(text: string): string {
  const id = parseBeadId(text);
  if (id === null) throw new InvalidArgumentError("It is no bead id.");
  return id;
}
