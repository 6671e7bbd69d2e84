import { type Command, InvalidArgumentError } from "commander";
import { openHome } from "../adapters/home/koryph-home.js";
import { Registry } from "../adapters/home/registry.js";
import { openWorkSource } from "../adapters/work/open-work-source.js";
import { isClosed, parseBeadId } from "../core/model/bead.js";
import { controlAdvice } from "../core/replies/control.js";
import { unheardLine } from "../core/replies/engine-sight.js";
import type { NewEvent } from "../core/run/ledger-event.js";
import type { LedgerState } from "../core/run/ledger-state.js";
import { waitsForPerson } from "../core/run/slot-groups.js";
import { UserError } from "../lib/user-error.js";
import { lookAtEngine } from "./look-at-engine.js";
import type { Surface } from "./program.js";
import { projectFolder } from "./project-folder.js";
import { refuseUsage } from "./refuse-usage.js";
import { type WiredProject, wireProject } from "./wire-project.js";

interface Request {
  /** Throws a `UserError` when the project's state makes the request pointless or wrong. */
  readonly event: (state: LedgerState, project: WiredProject) => NewEvent | Promise<NewEvent>;
  readonly said: string;
}

/** Verbs that leave a word in the ledger for the engine, wherever it runs. */
export function addControl(surface: Surface): void {
  const { program } = surface;
  program
    .command("drain")
    .description("let running agents finish, start no new ones, then end the run (exit 4)")
    .option("--all-projects", "every registered project")
    .action((flags: { allProjects?: true }) =>
      ask(surface, flags, { event: () => ({ type: "control.drain", data: {} }), said: "drain asked for" }),
    );
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
      return ask(surface, flags, resizeRequest(flags));
    });
  program
    .command("nudge")
    .description("put a message into the inbox of a bead's agent")
    .argument("<bead>", "which bead", beadId)
    .argument("<text...>", "what to tell it")
    .action((bead: string, text: string[]) =>
      ask(
        surface,
        {},
        {
          event: (state) => {
            expectAtWork(state, bead);
            return { type: "control.nudge", bead, data: { text: text.join(" ") } };
          },
          said: `nudge for ${bead} left`,
        },
      ),
    );
  program
    .command("stop")
    .description("stop a bead's agent; what it has committed goes on, else the bead is queued again")
    .argument("[bead]", "which bead", beadId)
    .option("--all", "all agents of the run")
    .option("--force", "kill without asking first")
    .option("--all-projects", "every registered project, with --all")
    .action((bead: string | undefined, flags: StopFlags, command: Command) => {
      if ((bead === undefined) === (flags.all === undefined)) refuseUsage(command, controlAdvice.stopWhat());
      const data = { force: flags.force ?? false };
      return ask(surface, flags, {
        event: (state) => {
          if (bead !== undefined) expectAtWork(state, bead);
          return { type: "control.stop", ...(bead === undefined ? {} : { bead }), data };
        },
        said: `stop of ${bead ?? "all agents"} asked for`,
      });
    });
  program
    .command("retry")
    .description(
      "send a bead that is blocked, in conflict or finished back to an agent, with its counters at zero",
    )
    .argument("<bead>", "which bead", beadId)
    .action((bead: string) =>
      ask(
        surface,
        {},
        {
          event: (state) => {
            const slot = expectSlot(state, bead);
            if (!waitsForPerson(slot)) throw UserError.of(controlAdvice.notBlocked(bead, slot.status));
            return { type: "control.retry", bead, data: {} };
          },
          said: `${bead} is queued; a running engine takes it up, else \`koryph run --resume\` does`,
        },
      ),
    );
  program
    .command("hold")
    .description("start no new attempt at a bead and land nothing of it, until unhold")
    .argument("<bead>", "which bead", beadId)
    .argument("[reason...]", "why, for whoever asks")
    .action((bead: string, reason: string[]) =>
      ask(
        surface,
        {},
        {
          event: () => ({ type: "hold.placed", bead, data: { reason: reason.join(" ") } }),
          said: `${bead} is held; an agent that is at work on it goes on`,
        },
      ),
    );
  program
    .command("unhold")
    .description("let a bead that is held go on")
    .argument("<bead>", "which bead", beadId)
    .action((bead: string) =>
      ask(
        surface,
        {},
        {
          event: (state) => {
            if (state.holds[bead] === undefined) throw UserError.of(controlAdvice.notHeld(bead));
            return { type: "hold.lifted", bead, data: {} };
          },
          said: `${bead} is not held any more`,
        },
      ),
    );
  program
    .command("inject")
    .description("let a run that is limited to a parent or a bead also take this ready bead")
    .argument("<bead>", "which bead", beadId)
    .action((bead: string) =>
      ask(
        surface,
        {},
        {
          event: async (_state, project) => {
            const found = await openWorkSource(project).get(bead);
            if (found === null) throw UserError.of(controlAdvice.noBead(bead));
            if (isClosed(found)) throw UserError.of(controlAdvice.closedBead(bead));
            return { type: "control.inject", bead, data: {} };
          },
          said: `${bead} injected`,
        },
      ),
    );
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

function resizeRequest({ max, force }: ResizeFlags): Request {
  return {
    event: (_state, { config }) => {
      const ceiling = config.max_concurrent_slots;
      if (max !== undefined && max > ceiling && !force)
        throw UserError.of(controlAdvice.tooWide(max, ceiling));
      return { type: "control.resize", data: { max: max ?? null, force: force ?? false } };
    },
    said: max === undefined ? "width back to what the run was started with" : `width ${max} asked for`,
  };
}

function expectSlot(state: LedgerState, bead: string) {
  const slot = state.slots[bead];
  if (!slot) throw UserError.of(controlAdvice.noSlot(bead));
  return slot;
}

/** What has ended by itself by the time the engine looks is no mistake; what was not at work before is one. */
function expectAtWork(state: LedgerState, bead: string): void {
  const { status } = expectSlot(state, bead);
  if (status !== "dispatching" && status !== "running" && status !== "ended")
    throw UserError.of(controlAdvice.notAtWork(bead, status));
}

/** A run that starts clears these: they were meant for the one before it. */
const CLEARED_BY_RUNS: ReadonlySet<string> = new Set(["control.drain", "control.stop"]);

async function ask(surface: Surface, flags: { allProjects?: true }, request: Request): Promise<void> {
  for (const folder of await foldersOf(surface, flags)) {
    const project = await wireProject(folder, surface.version);
    const { ledger, config, audit, actor } = project;
    const { state, engine } = await lookAtEngine(project);
    const event = await request.event(state, project);
    await ledger.observe([event]);
    await ledger.share("now");
    await audit.record({ kind: event.type, projectId: config.project_id, actor, detail: event.data });
    const running = state.run !== null && state.run.ended === null;
    const note = running ? "" : " (no run is under way)";
    surface.terminal.out(`${config.project_id}: ${request.said}${note}`);
    if (engine?.state === "gone")
      surface.terminal.err(unheardLine(config.project_id, engine, CLEARED_BY_RUNS.has(event.type)));
  }
}

async function foldersOf({ program }: Surface, { allProjects }: { allProjects?: true }): Promise<string[]> {
  if (!allProjects) return [projectFolder(program)];
  const { entries } = await new Registry(await openHome()).list();
  if (entries.length === 0) throw UserError.of(controlAdvice.noProjects());
  return entries.map(({ root }) => root);
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
