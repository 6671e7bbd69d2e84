import type { Command } from "commander";
import { changedBetween } from "../../adapters/git/landing/changed-between.js";
import { docsPath } from "../../adapters/project/docs-path.js";
import { noPullsOf } from "../../adapters/project/github-of.js";
import { openProject } from "../../adapters/project/open-project.js";
import { openWorkSource } from "../../adapters/work/open-work-source.js";
import { type LearntPlan, learntJson, learntText } from "../../core/replies/schedule/learn.js";
import { planAuditJson } from "../../core/replies/schedule/plan-json.js";
import { workRange } from "../../core/run/plan/work-range.js";
import { learnAreas } from "../../core/schedule/learn-areas.js";
import { auditBacklog } from "../../engine/audit-backlog.js";
import { jsonPieces } from "../../lib/json-pieces.js";
import { type WiredProject, wireProject } from "../../wiring/wire-project.js";
import type { Surface } from "../program.js";
import { auditText } from "../text/audit-text.js";
import { projectFolder } from "../wiring/project-folder.js";
import { readLedger } from "../wiring/read-ledger.js";

export function addPlan(plan: Command, { program, terminal, version }: Surface): void {
  plan
    .command("audit")
    .description("what stands in the way of running the backlog in parallel")
    .option("--epic <id>", "only what lies below this bead")
    .option("--all", "list everything, also past the first 200 pairs")
    .option("--json", `print JSON, as ${docsPath("json.md")} describes it`)
    .action(async ({ epic, all, json }: { epic?: string; all?: true; json?: true }) => {
      const project = await openProject(projectFolder(program), version);
      const noPulls = await noPullsOf(project);
      const audit = await auditBacklog(openWorkSource(project), project.config, { epic, all, noPulls });
      if (json) {
        for (const piece of jsonPieces(planAuditJson(audit, project, epic))) terminal.out(piece);
        return;
      }
      const view = { config: project.config, epic, all, paint: terminal.paint };
      terminal.out(auditText(audit, view).join("\n"));
    });
  plan
    .command("learn")
    .description("proposes an area_map from what landed beads changed")
    .option("--json", `print JSON, as ${docsPath("json.md")} describes it`)
    .action(async ({ json }: { json?: true }) => {
      const project = await wireProject(projectFolder(program), version, "looking");
      const learnt = await learnFrom(project, terminal.err);
      terminal.out(json ? JSON.stringify(learntJson(learnt), null, 2) : learntText(learnt).join("\n"));
    });
}

/** From the ledger, and the commits that are on this machine: nobody is asked. */
async function learnFrom(project: WiredProject, warn: (line: string) => void): Promise<LearntPlan> {
  const { config, home } = project;
  const { state } = await readLedger(project.ledger, warn);
  const landed = Object.values(state.slots).flatMap((slot) => {
    const range = slot.landed === null ? null : workRange(slot);
    return range === null ? [] : [{ bead: slot.bead, areas: slot.areas ?? [], range }];
  });
  const labeled = landed.filter(({ areas }) => areas.length > 0);
  const repository = home.repository(config.project_id);
  const changed = await changedBetween(
    repository,
    labeled.map(({ range }) => range),
  );
  const beads = labeled.flatMap(({ bead, areas }, at) => {
    const paths = changed[at] ?? null;
    return paths === null ? [] : [{ bead, areas, paths }];
  });
  return {
    project: config.project_id,
    areas: learnAreas(beads, config.area_map),
    landed: landed.length,
    elsewhere: labeled.length - beads.length,
    unlabeled: landed.length - labeled.length,
  };
}
