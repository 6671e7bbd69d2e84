import type { Command } from "commander";
import { docsPath } from "../../adapters/project/docs-path.js";
import { openWorkSource } from "../../adapters/work/open-work-source.js";
import { beadListJson, beadListText } from "../../core/replies/beads/bead-list.js";
import { listBeads } from "../../core/run/plan/list-beads.js";
import { wireProject } from "../../wiring/wire-project.js";
import type { Surface } from "../program.js";
import { projectFolder } from "../wiring/project-folder.js";
import { readLedger } from "../wiring/read-ledger.js";

interface ListFlags {
  readonly all?: true;
  readonly json?: true;
}

export function addList(command: Command, { program, terminal, version }: Surface): void {
  command
    .option("--all", "closed ones, too")
    .option("--json", `print JSON, as ${docsPath("json.md")} describes it`)
    .action(async ({ all, json }: ListFlags) => {
      const project = await wireProject(projectFolder(program), version, "looking");
      const { state } = await readLedger(project.ledger, terminal.err);
      const source = openWorkSource(project);
      const listed = listBeads(await source.all(), await source.ready(), state);
      const shown = all ? listed : listed.filter(({ standing }) => standing.kind !== "closed");
      if (json) return terminal.out(JSON.stringify(beadListJson(shown, project.config.project_id), null, 2));
      terminal.out(beadListText(shown, terminal.paint).join("\n"));
    });
}
