import { InvalidArgumentError } from "commander";
import { openProject } from "../adapters/project/open-project.js";
import { openWorkSource } from "../adapters/work/open-work-source.js";
import { dispatchPlanJson } from "../core/replies/plan-json.js";
import { type PlanOptions, planRun } from "../engine/plan-run.js";
import { dryRunText } from "./dry-run-text.js";
import { notBuiltYet } from "./later.js";
import type { Surface } from "./program.js";
import { projectFolder } from "./project-folder.js";

interface RunFlags extends PlanOptions {
  readonly dryRun?: true;
  readonly json?: true;
}

export function addRun({ program, terminal, version }: Surface): void {
  program
    .command("run")
    .description("dispatch waves of agents until nothing is left (for now: --dry-run only)")
    .option("--dry-run", "show what would be dispatched and why the rest would not; start nothing")
    .option("--max <n>", "at most so many at once, never above max_concurrent_slots", wholeNumber)
    .option("--parent <id>", "only what lies below this bead")
    .option("--only <id>", "only this bead")
    .option("--default-model <model>", "model for beads without a model: label")
    .option("--json", "print JSON, as docs/json.md describes it")
    .action(async ({ dryRun, json, ...options }: RunFlags) => {
      if (!dryRun) throw notBuiltYet("koryph run without --dry-run", "the wave engine");
      const project = await openProject(projectFolder(program), version);
      const plan = await planRun(openWorkSource(project), project.config, options);
      if (json) return terminal.out(JSON.stringify(dispatchPlanJson(plan, project), null, 2));
      const view = { config: project.config, max: options.max, paint: terminal.paint };
      terminal.out(dryRunText(plan, view).join("\n"));
    });
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It takes a whole number of at least 1.");
  return Number(text);
}
