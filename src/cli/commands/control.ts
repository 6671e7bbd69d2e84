import { type Command, InvalidArgumentError, Option } from "commander";
import { openHome } from "../../adapters/home/koryph-home.js";
import { Registry } from "../../adapters/home/registry.js";
import type { RegistryEntry } from "../../core/config/registry-entry.js";
import type { ControlCommand } from "../../core/control/control-command.js";
import { parseBeadId } from "../../core/model/bead.js";
import { controlAdvice, notAskedLine } from "../../core/replies/control/control.js";
import { UserError } from "../../lib/user-error.js";
import type { Surface } from "../program.js";
import { refuseUsage } from "../text/refuse-usage.js";
import { projectFolder } from "../wiring/project-folder.js";
import { askProject } from "./ask-project.js";

/** Verbs that leave a word in the ledger for the engine, wherever it runs. */
export function addControl(surface: Surface): void {
  const { program } = surface;
  everywhere(
    program
      .command("drain")
      .description("let running agents finish, start no new ones, then end the run (exit 4)"),
  ).action((flags: Everywhere) => ask(surface, flags, { verb: "drain" }));
  const resize = program
    .command("resize")
    .description("change how many agents may work at once, in the run that is under way")
    .argument("[n]", "the new width", positiveNumber)
    .option("--max <n>", "the same", positiveNumber)
    .option("--clear", "back to what the run was started with")
    .option("--force", "also above max_concurrent_slots");
  everywhere(resize).action((n: number | undefined, flags: ResizeFlags, command: Command) => {
    const given = [n, flags.max, flags.clear].filter((each) => each !== undefined);
    if (given.length !== 1) refuseUsage(command, controlAdvice.resizeWhat());
    return ask(surface, flags, { verb: "resize", max: n ?? flags.max ?? null, force: flags.force ?? false });
  });
  program
    .command("nudge")
    .description("put a message into the inbox of a bead's agent")
    .argument("<bead>", "which bead", beadId)
    .argument("<text...>", "what to tell it")
    .action((bead: string, text: string[]) =>
      ask(surface, {}, { verb: "nudge", bead, text: text.join(" ") }),
    );
  const stop = program
    .command("stop")
    .description(
      "stop a bead's agent; complete commits go on, else the bead is queued again after the attempt's backoff",
    )
    .argument("[bead]", "which bead", beadId)
    .option("--run", "all agents of the run")
    .option("--hold", "put a hold on what is stopped, so that it stays so until unhold")
    .option("--drain", "let the run start nothing new, and end")
    .option("--force", "kill without asking first");
  everywhere(stop, "all agents of every registered project").action(
    (bead: string | undefined, flags: StopFlags, command: Command) => {
      const run = flags.run === true || isEverywhere(flags);
      if ((bead === undefined) !== run) refuseUsage(command, controlAdvice.stopWhat());
      const { force = false, hold = false, drain = false } = flags;
      return ask(surface, flags, { verb: "stop", bead: bead ?? null, run, force, hold, drain });
    },
  );
  program
    .command("retry")
    .description(
      "send a bead that is blocked, in conflict or finished back to an agent, with its counters at zero",
    )
    .argument("[bead]", "which bead", beadId)
    .option("--all", "every bead that is blocked or in conflict")
    .option(
      "--reason <code or text>",
      "with --all: only those blocked for this code, or with this in their reason",
    )
    .action((bead: string | undefined, { all = false, reason }: RetryFlags, command: Command) => {
      if ((bead === undefined) !== all || (reason !== undefined && !all))
        refuseUsage(command, controlAdvice.retryWhat());
      const meant = all ? { bead: null, all: { reason: reason ?? null } } : { bead: bead ?? null };
      return ask(surface, {}, { verb: "retry", ...meant });
    });
  program
    .command("hold")
    .description("start no new attempt at a bead and land nothing of it, until unhold")
    .argument("<bead>", "which bead", beadId)
    .argument("[reason...]", "why, for whoever asks")
    .action((bead: string, reason: string[]) =>
      ask(surface, {}, { verb: "hold", bead, reason: reason.join(" ") }),
    );
  program
    .command("unhold")
    .description("let a bead that is held go on")
    .argument("<bead>", "which bead", beadId)
    .action((bead: string) => ask(surface, {}, { verb: "unhold", bead }));
  program
    .command("inject")
    .description("let a run that is limited to a parent or a bead also take this ready bead")
    .argument("<bead>", "which bead", beadId)
    .action((bead: string) => ask(surface, {}, { verb: "inject", bead }));
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

export function positiveNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It takes a whole number of at least 1.");
  return Number(text);
}

/** Several beads, each once, in the order they were given in. */
export function beadIds(text: string, before: readonly string[] = []): readonly string[] {
  return [...new Set([...before, beadId(text)])];
}

export function beadId(text: string): string {
  const id = parseBeadId(text);
  if (id === null) throw new InvalidArgumentError("It is no bead id.");
  return id;
}
