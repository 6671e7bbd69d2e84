import { docsPath } from "../adapters/project/docs-path.js";
import { openWorkSource } from "../adapters/work/open-work-source.js";
import { statusJson, statusText } from "../core/replies/status.js";
import { planDispatch } from "../core/run/plan-dispatch.js";
import { dryRunText } from "./dry-run-text.js";
import type { Surface } from "./program.js";
import { projectFolder } from "./project-folder.js";
import { wireProject } from "./wire-project.js";

export function addStatus({ program, terminal, version }: Surface): void {
  program
    .command("status")
    .description("what the current run is doing, and what came of each bead")
    .option("--frontier", "also what could be dispatched next and what keeps the rest back")
    .option("--json", `print JSON, as ${docsPath("json.md")} describes it`)
    .action(async ({ frontier, json }: { frontier?: true; json?: true }) => {
      const project = await wireProject(projectFolder(program), version);
      const { state } = await project.ledger.refresh();
      if (json) terminal.out(JSON.stringify(statusJson(state, project.config.project_id), null, 2));
      else terminal.out(statusText(state, project.config.project_id).join("\n"));
      if (!frontier || json) return;
      const source = openWorkSource(project);
      const held = Object.values(state.slots).filter(({ status }) =>
        ["queued", "dispatching", "running", "ended"].includes(status),
      );
      const plan = planDispatch({
        config: project.config,
        beads: await source.all(),
        frontier: await source.ready(),
        inFlight: held.map(({ bead, footprint, resources }) => ({ id: bead, footprint, resources })),
      });
      terminal.out(`\n${dryRunText(plan, { config: project.config, paint: terminal.paint }).join("\n")}`);
    });
}
