import type { Command } from "commander";
import { noPullsOf } from "../../adapters/project/github-of.js";
import { knownPersonas } from "../../adapters/project/known-personas.js";
import { openProject } from "../../adapters/project/open-project.js";
import { requireRunnable } from "../../adapters/project/require-runnable.js";
import { PROJECT_FILE } from "../../core/config/project-file.js";
import { containmentAdvice } from "../../core/replies/config/containment.js";
import { plainText } from "../../lib/plain-text.js";
import { probeContainment } from "../../wiring/open-containment.js";
import type { Surface } from "../program.js";
import { sayWarning } from "../text/say-advice.js";
import { projectFolder } from "../wiring/project-folder.js";

export function addValidate(command: Command, { program, terminal, version }: Surface): void {
  command
    .option("--json", "print the settings in force, defaults filled in")
    .action(async ({ json }: { json?: true }) => {
      const project = await openProject(projectFolder(program), version);
      requireRunnable(project, {
        hasPersona: await knownPersonas(project),
        noPulls: await noPullsOf(project),
      });
      const { root, config } = project;
      terminal.out(json ? JSON.stringify(config, null, 2) : plainText(`${root}/${PROJECT_FILE} is fine`));
      const { level } = config.containment;
      if (level === undefined || level === "off") return;
      const probe = await probeContainment(level);
      if (probe.reached === "none") sayWarning(terminal, containmentAdvice[level](probe.why));
    });
}
