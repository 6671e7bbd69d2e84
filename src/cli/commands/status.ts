import type { Command } from "commander";
import { docsPath } from "../../adapters/project/docs-path.js";
import { openWorkSource } from "../../adapters/work/open-work-source.js";
import { reportsToRead } from "../../core/replies/run/report-of-slot.js";
import { statusText } from "../../core/replies/run/status.js";
import { statusJson } from "../../core/replies/run/status-json.js";
import { takenByRuns } from "../../core/replies/run/taken-by-runs.js";
import { isOpen } from "../../core/run/ledger/slot-groups.js";
import { heldBeads } from "../../core/run/plan/held-beads.js";
import { withIdle } from "../../core/run/plan/idle-at-end.js";
import { planDispatch } from "../../core/run/plan/plan-dispatch.js";
import { probeFirst } from "../../core/run/plan/probe-first.js";
import { keptBackRefusal } from "../../core/run/tick/pause-runtime.js";
import { wireProject } from "../../wiring/wire-project.js";
import type { Surface } from "../program.js";
import { dryRunText } from "../text/dry-run-text.js";
import { lookAtEngine } from "../wiring/observe-engine.js";
import { projectFolder } from "../wiring/project-folder.js";
import { readSteps } from "../wiring/read-steps.js";

export function addStatus(command: Command, { program, terminal, version }: Surface): void {
  command
    .option("--frontier", "also what could be dispatched next and what keeps the rest back")
    .option("--json", `print JSON, as ${docsPath("json.md")} describes it`)
    .action(async ({ frontier, json }: { frontier?: true; json?: true }) => {
      const project = await wireProject(projectFolder(program), version, "looking");
      const { state, engine } = await lookAtEngine(project, terminal.err);
      const id = project.config.project_id;
      if (json) return terminal.out(JSON.stringify(statusJson(state, id, engine), null, 2));
      const steps = await readSteps(project, state, Date.now());
      const { paint, columns } = terminal;
      terminal.out(statusText(state, id, engine, { now: Date.now(), paint, columns, steps }).join("\n"));
      for (const line of reportsToRead(Object.values(state.slots))) terminal.out(line);
      if (!frontier) return;
      const source = openWorkSource(project);
      const beads = await source.all();
      const open = Object.values(state.slots).filter(isOpen);
      const underWay = state.run?.ended === null && engine !== null && engine.state !== "gone";
      const plan = planDispatch({
        config: project.config,
        beads,
        frontier: await source.ready(),
        settled: heldBeads(state),
        spent: state.spent,
        inFlight: open.map(({ bead, footprint, resources }) => ({ id: bead, footprint, resources })),
        ...(underWay && { keptBack: (agent) => keptBackRefusal(state, agent, Date.now()) }),
      });
      const shown = withIdle(underWay ? plan : probeFirst(plan, state.pauses), beads, {
        unreleased: source.unreleased?.(),
      });
      const taken = takenByRuns(state, beads);
      terminal.out(
        `\n${dryRunText(shown, { config: project.config, taken, paint: terminal.paint }).join("\n")}`,
      );
    });
}
