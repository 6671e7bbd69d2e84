import { join } from "node:path";
import { PROJECT_FILE } from "../../core/config/project-file.js";
import { projectAdvice } from "../../core/replies/config/project.js";
import { type RunSurroundings, runProblems } from "../../core/run/plan/run-problems.js";
import { UserError } from "../../lib/user-error.js";
import { docsPath } from "./docs-path.js";
import type { Project } from "./open-project.js";

/** Throws when no run of the project can start, whatever the machine and the backlog: nobody pays to learn that. */
export function requireRunnable({ root, config }: Project, surroundings: RunSurroundings = {}): void {
  const problems = runProblems(config, surroundings);
  if (problems.length === 0) return;
  throw UserError.of(projectAdvice.wrong(join(root, PROJECT_FILE), problems, docsPath("configuration.md")));
}
