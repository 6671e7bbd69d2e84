import type { Command } from "commander";
import { docsPath } from "../../adapters/project/docs-path.js";
import { reportsToRead } from "../../core/replies/run/report-of-slot.js";
import { statusText } from "../../core/replies/run/status.js";
import { adaptivePools } from "../../core/run/metrics/run-limits.js";
import { waitedFor } from "../../core/run/plan/waited-for.js";
import { quotaToShow } from "../../wiring/known-quota.js";
import { lookAtMachine } from "../../wiring/look-at-machine.js";
import { type WiredProject, wireProject } from "../../wiring/wire-project.js";
import type { Surface } from "../program.js";
import { lookAtEngine } from "../wiring/observe-engine.js";
import { projectFolder } from "../wiring/project-folder.js";
import { readSteps } from "../wiring/read-steps.js";

export function addStatus(command: Command, { program, terminal, version }: Surface): void {
  command
    .option("--frontier", "also what could be dispatched next and what keeps the rest back")
    .option("--json", `print JSON, as ${docsPath("json.md")} describes it`)
    .action(async ({ frontier, json }: { frontier?: true; json?: true }) => {
      const project = await wireProject(projectFolder(program), version, "looking");
      const observed = await lookAtEngine(project, terminal.err);
      const { state, engine } = observed;
      const id = project.config.project_id;
      const now = Date.now();
      const machine = await lookAtMachine();
      const waits = waitedFor(machine, project.config, state, now);
      const pools = adaptivePools(machine);
      const quota = await quotaToShow(project, terminal.err);
      if (json) {
        const { statusJson } = await import("../../core/replies/run/status-json.js");
        const here = { waits, quota, pools };
        return terminal.out(JSON.stringify(statusJson(state, project.accounts, engine, here), null, 2));
      }
      const steps = await readSteps(project, state, now);
      const { paint, columns } = terminal;
      const view = { now, paint, columns, steps, waits, pools, quota, pinned: pinnedHere(project) };
      terminal.out(statusText(state, id, engine, view).join("\n"));
      for (const line of reportsToRead(Object.values(state.slots))) terminal.out(line);
      if (!frontier) return;
      const { showFrontier } = await import("./show-frontier.js");
      await showFrontier(project, { ...observed, quota }, terminal);
    });
}

/** Undefined where agents are a program of the project's own, which gets no credentials. */
function pinnedHere({ accounts, config }: WiredProject): readonly string[] | undefined {
  const pinned = Object.keys(accounts.pins).sort();
  const own = config.runtimes[config.default_runtime]?.command !== undefined;
  return own && pinned.length === 0 ? undefined : pinned;
}
