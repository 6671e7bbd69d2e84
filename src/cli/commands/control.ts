import { type Command, Option } from "commander";
import { openHome } from "../../adapters/home/koryph-home.js";
import { Registry } from "../../adapters/home/registry.js";
import type { RegistryEntry } from "../../core/config/registry-entry.js";
import type { ControlCommand } from "../../core/control/control-command.js";
import { controlAdvice, notAskedLine } from "../../core/replies/control/control.js";
import { UserError } from "../../lib/user-error.js";
import { positiveNumber } from "../arguments.js";
import type { Surface } from "../program.js";
import { refuseUsage } from "../text/refuse-usage.js";
import { projectFolder } from "../wiring/project-folder.js";
import { askProject } from "./ask-project.js";

// Verbs that leave a word in the ledger for the engine, wherever it runs.

export function addDrain(drain: Command, surface: Surface): void {
  everywhere(drain).action((flags: Everywhere) => ask(surface, flags, { verb: "drain" }));
}

export function addResize(resize: Command, surface: Surface): void {
  resize
    .option("--max <n>", "the same", positiveNumber)
    .option("--clear", "back to what the run was started with")
    .option("--force", "also above max_concurrent_slots");
  everywhere(resize).action((n: number | undefined, flags: ResizeFlags) => {
    const given = [n, flags.max, flags.clear].filter((each) => each !== undefined);
    if (given.length !== 1) refuseUsage(resize, controlAdvice.resizeWhat());
    return ask(surface, flags, { verb: "resize", max: n ?? flags.max ?? null, force: flags.force ?? false });
  });
}

export function addNudge(nudge: Command, surface: Surface): void {
  nudge.action((bead: string, text: string[]) =>
    ask(surface, {}, { verb: "nudge", bead, text: text.join(" ") }),
  );
}

export function addStop(stop: Command, surface: Surface): void {
  stop
    .option("--run", "all agents of the run")
    .option("--hold", "put a hold on what is stopped, so that it stays so until unhold")
    .option("--drain", "let the run start nothing new, and end")
    .option("--force", "kill without asking first");
  everywhere(stop, "all agents of every registered project").action(
    (bead: string | undefined, flags: StopFlags) => {
      const run = flags.run === true || isEverywhere(flags);
      if ((bead === undefined) !== run) refuseUsage(stop, controlAdvice.stopWhat());
      const { force = false, hold = false, drain = false } = flags;
      return ask(surface, flags, { verb: "stop", bead: bead ?? null, run, force, hold, drain });
    },
  );
}

export function addRetry(retry: Command, surface: Surface): void {
  retry
    .option("--all", "every bead that is blocked or in conflict")
    .option(
      "--reason <code or text>",
      "with --all: only those blocked for this code, or with this in their reason",
    )
    .action((bead: string | undefined, { all = false, reason }: RetryFlags) => {
      if ((bead === undefined) !== all || (reason !== undefined && !all))
        refuseUsage(retry, controlAdvice.retryWhat());
      const meant = all ? { bead: null, all: { reason: reason ?? null } } : { bead: bead ?? null };
      return ask(surface, {}, { verb: "retry", ...meant });
    });
}

export function addHold(hold: Command, surface: Surface): void {
  hold.action((bead: string, reason: string[]) =>
    ask(surface, {}, { verb: "hold", bead, reason: reason.join(" ") }),
  );
}

export function addUnhold(unhold: Command, surface: Surface): void {
  unhold.action((bead: string) => ask(surface, {}, { verb: "unhold", bead }));
}

export function addInject(inject: Command, surface: Surface): void {
  inject.action((bead: string) => ask(surface, {}, { verb: "inject", bead }));
}

interface Everywhere {
  readonly all?: true;
  /** The same, as it was called at first. */
  readonly allProjects?: true;
}

function everywhere(command: Command, meaning = "every registered project"): Command {
  return command
    .option("--all", meaning)
    .addOption(new Option("--all-projects", "the same as --all").hideHelp());
}

function isEverywhere({ all, allProjects }: Everywhere): boolean {
  return all === true || allProjects === true;
}

interface ResizeFlags extends Everywhere {
  readonly max?: number;
  readonly clear?: true;
  readonly force?: true;
}

interface RetryFlags {
  readonly all?: boolean;
  readonly reason?: string;
}

interface StopFlags extends Everywhere {
  readonly run?: true;
  readonly hold?: true;
  readonly drain?: true;
  readonly force?: true;
}

async function ask(surface: Surface, flags: Everywhere, command: ControlCommand): Promise<void> {
  if (!isEverywhere(flags)) {
    const advice = await askProject(surface, projectFolder(surface.program), command);
    if (advice !== null) throw UserError.of(advice);
    return;
  }
  let [asked, failed] = [0, 0];
  for (const { id, root } of await registered()) {
    try {
      const advice = await askProject(surface, root, command);
      if (advice === null) asked += 1;
      else surface.terminal.err(`${id}: ${advice.message}`);
    } catch (error) {
      // What is wrong with one project must not keep the others from being stopped.
      if (!(error instanceof UserError)) throw error;
      failed += 1;
      surface.terminal.err(notAskedLine(id, error.message));
    }
  }
  if (failed > 0) throw UserError.of(controlAdvice.someFailed(failed));
  if (asked === 0) throw UserError.of(controlAdvice.noRunAnywhere());
}

async function registered(): Promise<readonly RegistryEntry[]> {
  const { entries } = await new Registry(await openHome()).list();
  if (entries.length === 0) throw UserError.of(controlAdvice.noProjects());
  return entries;
}
