import type { Command } from "commander";
import { docsPath } from "../../adapters/project/docs-path.js";
import { noPullsOf } from "../../adapters/project/github-of.js";
import { openProject } from "../../adapters/project/open-project.js";
import { openWorkSource } from "../../adapters/work/open-work-source.js";
import { planAuditJson } from "../../core/replies/schedule/plan-json.js";
import { auditBacklog } from "../../engine/audit-backlog.js";
import { jsonPieces } from "../../lib/json-pieces.js";
import type { Surface } from "../program.js";
import { auditText } from "../text/audit-text.js";
import { projectFolder } from "../wiring/project-folder.js";

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
}
