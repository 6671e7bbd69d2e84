import type { Command } from "commander";
import type { Clones } from "../../adapters/git/clones/clones.js";
import { takeLocalLock } from "../../adapters/home/local-lock.js";
import { StoredFiles } from "../../adapters/home/stored-files.js";
import { docsPath } from "../../adapters/project/docs-path.js";
import { openWorkSource } from "../../adapters/work/open-work-source.js";
import { gcAdvice, gcJson, gcText } from "../../core/replies/run/gc.js";
import { GC_DAYS, type GcFacts, type GcItem, type GcPlan, planGc } from "../../core/run/plan/gc-plan.js";
import { plainText } from "../../lib/plain-text.js";
import { UserError } from "../../lib/user-error.js";
import { openClones } from "../../wiring/start-engine.js";
import { type WiredProject, wireProject } from "../../wiring/wire-project.js";
import { positiveNumber } from "../arguments.js";
import type { Surface } from "../program.js";
import { projectFolder } from "../wiring/project-folder.js";

export function addGc(command: Command, { program, terminal, version }: Surface): void {
  command
    .option("--apply", "remove it")
    .option("--days <n>", `run folders at least this old (default: ${GC_DAYS})`, positiveNumber)
    .option("--json", `print JSON, as ${docsPath("json.md")} describes it`)
    .action(async (named: string[], { apply, days = GC_DAYS, json }: GcFlags) => {
      const project = await wireProject(projectFolder(program), version);
      const { config, home } = project;
      // Held to the end: what is found to be nobody's must not become an engine's in between.
      const attempt = await takeLocalLock(home.engineLock(config.project_id));
      if (attempt.kind === "held") throw UserError.of(gcAdvice.engineRuns(attempt.by));
      try {
        const clones = openClones(project);
        const files = new StoredFiles(home, config.project_id);
        const { facts, keptClones } = await look(project, { clones, files, days, named });
        const plan = planGc(facts);
        if (named.length > 0 && plan.remove.length + plan.keep.length === 0)
          throw UserError.of(gcAdvice.nothingOf(named.map((name) => plainText(name))));
        const done = apply ? await carryOut(plan, project, { clones, files }) : null;
        const { remove: removed, keep: kept } = done ?? plan;
        const report = {
          project: config.project_id,
          applied: apply ?? false,
          days,
          removed,
          kept,
          keptClones,
        };
        terminal.out(json ? JSON.stringify(gcJson(report), null, 2) : gcText(report).join("\n"));
      } finally {
        await attempt.lock.release();
      }
    });
}

interface GcFlags {
  readonly apply?: true;
  readonly days?: number;
  readonly json?: true;
}

interface Places {
  readonly clones: Clones;
  readonly files: StoredFiles;
}

async function look(
  project: WiredProject,
  { clones, files, days, named }: Places & Pick<GcFacts, "days" | "named">,
): Promise<{ facts: GcFacts; keptClones: readonly string[] }> {
  const { state } = await project.ledger.refresh();
  const listing = await clones.list();
  const beads = await openWorkSource(project).all();
  const found: { bead: string; work: boolean }[] = [];
  // Looking brings new commits into repo.git, where they are safe whatever happens to the clone.
  for (const { bead } of listing.clones) found.push({ bead, work: (await clones.collect(bead)).dirty });
  const facts: GcFacts = {
    now: Date.now(),
    days,
    named,
    slots: state.slots,
    newestRun: state.run?.id ?? null,
    beads: new Map(beads.map(({ id, status }) => [id, status])),
    clones: found,
    homes: await files.homes(),
    runs: await files.runs(),
    wip: beadsOf(listing.wip),
    branches: beadsOf(listing.refs),
    leftovers: await files.leftovers(),
  };
  return { facts, keptClones: listing.kept };
}

function beadsOf(refs: readonly { readonly bead: string }[]): string[] {
  return [...new Set(refs.map(({ bead }) => bead))].sort();
}

/** What was removed in the end: a clone that holds work after all stays, and its agent's home with it. */
async function carryOut(
  plan: GcPlan,
  { audit, config, actor }: WiredProject,
  { clones, files }: Places,
): Promise<GcPlan> {
  // Saved work is taken off the remote only from the commit that was seen there.
  if (plan.remove.some(({ kind }) => kind === "wip")) await clones.fetch();
  const removed: GcItem[] = [];
  const stayed: GcItem[] = [];
  for (const item of plan.remove) {
    const gone = await removeItem(item, stayed, { clones, files });
    if (gone) removed.push(item);
    else stayed.push({ ...item, why: { code: "stayed" } });
  }
  const detail = { removed: removed.map(({ kind, name }) => `${kind} ${name}`) };
  if (removed.length > 0) await audit.record({ kind: "gc", projectId: config.project_id, actor, detail });
  return { remove: removed, keep: [...plan.keep, ...stayed] };
}

async function removeItem(
  { kind, name }: GcItem,
  stayed: readonly GcItem[],
  { clones, files }: Places,
): Promise<boolean> {
  switch (kind) {
    case "clone":
      return (await clones.remove(name)) !== "kept-dirty";
    case "home":
      if (stayed.some((item) => item.kind === "clone" && item.name === name)) return false;
      await files.removeHome(name);
      return true;
    case "run":
      await files.removeRun(name);
      return true;
    case "wip":
      await clones.removeWip(name);
      return true;
    case "branch":
      await clones.removeBranch(name);
      return true;
    case "leftover":
      await files.removeLeftover(name);
      return true;
  }
}
