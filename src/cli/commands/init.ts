import { dirname } from "node:path";
import type { Command } from "commander";
import { operatorGit } from "../../adapters/git/exec/operator-git.js";
import { initProject } from "../../adapters/project/init-project.js";
import { gateLine } from "../../core/replies/config/init.js";
import { projectAdvice } from "../../core/replies/config/project.js";
import { plainText } from "../../lib/plain-text.js";
import type { Advice } from "../../lib/user-error.js";
import type { Surface } from "../program.js";
import { projectFolder } from "../wiring/project-folder.js";
import { checkGithubFlags, type GithubFlags, initGithub } from "./init-github.js";

interface InitFlags extends GithubFlags {
  readonly id?: string;
  readonly gate?: string[];
}

export function addInit(command: Command, surface: Surface): void {
  const { program, terminal } = surface;
  command
    .option("--id <name>", "project_id, instead of the folder's name")
    .option("--gate <command...>", "gate commands, instead of the tests that the repository has")
    .option(
      "--github",
      "write what the repository needs on GitHub: workflows, an issue form, rulesets to import; make labels",
    )
    .option("--action <copy>", "with --github: the copy of koryph to use, owner/koryph@<commit>")
    .option("--app-id <number>", "with --github: the App that lands, for the bypass list of its ruleset")
    .option("--runner <label>", "with --github: the label of your own runners, instead of koryph")
    .option("--events", "with --github: also the workflow that answers comments, for a team without a server")
    .option("--dry-run", "with --github: say what would be written, and which labels would be made")
    .action(async ({ id, gate, ...github }: InitFlags) => {
      checkGithubFlags(command, github);
      if (github.github) return initGithub(surface, github);
      const { path, foundGate, workFile, weakIgnore } = await initProject(projectFolder(program), {
        id,
        gate,
      });
      terminal.out(plainText(`wrote ${path}`));
      if (gate === undefined) terminal.out(gateLine(foundGate));
      if (weakIgnore !== null)
        terminal.out(
          plainText(
            `${weakIgnore} was there already and is kept: see that it keeps the work file out of git`,
          ),
        );
      terminal.out(
        `  next: set its gate and area_map, then write one bead per line into ${plainText(workFile)}:`,
      );
      terminal.out(`  {"id":"task-1","title":"Describe the work","labels":["area:docs"]}`);
      terminal.out("  then: koryph plan audit");
      const lacking = await lackingForRuns(dirname(path));
      if (lacking !== null)
        terminal.err(`koryph: ${plainText(lacking.message)}\n  next: ${plainText(lacking.hint)}`);
    });
}

/** What agents need to start from, before the first run asks for it; null when it is there. */
async function lackingForRuns(root: string): Promise<Advice | null> {
  const answer = await operatorGit(root, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  if (answer === null) return projectAdvice.noRepository(root);
  if (answer.code === 0) return null;
  return answer.code === 1
    ? projectAdvice.noCommit(root)
    : projectAdvice.gitFailed(root, answer.stderr.trim());
}
