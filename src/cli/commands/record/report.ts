import type { Command } from "commander";
import { docsPath } from "../../../adapters/project/docs-path.js";
import { writtenLine } from "../../../core/replies/report/report-words.js";
import { wireProject } from "../../../wiring/wire-project.js";
import type { Surface } from "../../program.js";
import { projectFolder } from "../../wiring/project-folder.js";
import { readLedger } from "../../wiring/read-ledger.js";
import { writeRunPage } from "../../wiring/write-run-page.js";

interface ReportFlags {
  readonly run?: string;
  readonly out?: string;
  readonly json?: true;
}

export function addReport(command: Command, { program, terminal, version }: Surface): void {
  command
    .option("--run <id>", "this run (default: the newest)")
    .option("--out <file>", "write it there (default: a file below $KORYPH_HOME, whose path is printed)")
    .option("--json", `print JSON, as ${docsPath("json.md")} describes it`)
    .action(async ({ run, out, json }: ReportFlags) => {
      const project = await wireProject(projectFolder(program), version);
      await readLedger(project.ledger, terminal.err);
      const written = await writeRunPage(project, { run, out });
      terminal.out(
        json
          ? JSON.stringify({ run_id: written.run, path: written.path }, null, 2)
          : writtenLine(written.run, written.path),
      );
    });
}
