import { type Command, Option } from "commander";
import { docsPath } from "../../../adapters/project/docs-path.js";
import { openWorkSource } from "../../../adapters/work/open-work-source.js";
import { metricsJson } from "../../../core/replies/report/metrics-json.js";
import { metricsText, noEpicsLine } from "../../../core/replies/report/metrics-text.js";
import { AgentCosts } from "../../../core/run/metrics/agent-costs.js";
import { projectMetrics } from "../../../core/run/metrics/project-metrics.js";
import { UserError } from "../../../lib/user-error.js";
import { quotaToShow } from "../../../wiring/known-quota.js";
import { lookAtMachine } from "../../../wiring/look-at-machine.js";
import { type WiredProject, wireProject } from "../../../wiring/wire-project.js";
import { positiveNumber } from "../../arguments.js";
import type { Surface } from "../../program.js";
import { projectFolder } from "../../wiring/project-folder.js";
import { readLedger } from "../../wiring/read-ledger.js";

const NAMES_SHOWN = 10;

interface MetricsFlags {
  readonly n: number;
  readonly archived?: boolean;
  readonly json?: true;
  readonly prometheus?: true;
}

export function addMetrics(command: Command, { program, terminal, version }: Surface): void {
  command
    .option(
      "-n <count>",
      "at most so many models, epics and beads, the dearest first",
      positiveNumber,
      NAMES_SHOWN,
    )
    .option("--archived", "also what was rolled into archives")
    .option("--json", `print JSON, as ${docsPath("json.md")} describes it`)
    .addOption(new Option("--prometheus", "print it as Prometheus reads it").conflicts("json"))
    .action(async ({ n: most, archived = false, json, prometheus }: MetricsFlags) => {
      const project = await wireProject(projectFolder(program), version, "looking");
      const { state } = await readLedger(project.ledger, terminal.err);
      const costs = new AgentCosts();
      for await (const { reading, repeat } of project.ledger.log({ archived }))
        if (!repeat) costs.hear(reading);
      const metrics = projectMetrics({
        ...{ state, ended: costs.ended, runs: costs.runs, most },
        archivedLeftOut: !archived && state.chain.number > 1,
        machine: await lookAtMachine(),
        quota: await quotaToShow(project, terminal.err),
        parents: await parentsOf(project, terminal.err),
      });
      const { project_id: id } = project.config;
      if (prometheus) {
        const { prometheusText } = await import("../../text/prometheus-text.js");
        return terminal.out((await prometheusText(metrics, id)).trimEnd());
      }
      if (json) return terminal.out(JSON.stringify(metricsJson(metrics, id), null, 2));
      terminal.out(metricsText(metrics).join("\n"));
    });
}

/** Null where the tracker does not answer: costs are known without it. */
async function parentsOf(
  project: WiredProject,
  warn: (line: string) => void,
): Promise<ReadonlyMap<string, string> | null> {
  try {
    const beads = await openWorkSource(project).all();
    return new Map(beads.flatMap(({ id, parent }) => (parent === null ? [] : [[id, parent]])));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    warn(noEpicsLine(error.message));
    return null;
  }
}
