import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { docsPath } from "../../adapters/project/docs-path.js";
import { openProject, type Project } from "../../adapters/project/open-project.js";
import { readWorkflows } from "../../adapters/project/read-workflows.js";
import { writeSetupFile } from "../../adapters/project/write-setup-file.js";
import { setupAdvice, setupSteps, setupWords } from "../../core/replies/config/setup.js";
import { checkingWorkflows } from "../../core/setup/checking-workflows.js";
import { EVENTS_FILE, githubFiles } from "../../core/setup/github-files.js";
import type { Surface } from "../program.js";
import { refuseUsage } from "../text/refuse-usage.js";
import { makeSetupLabels } from "../wiring/make-setup-labels.js";
import { projectFolder } from "../wiring/project-folder.js";

export interface GithubFlags {
  readonly github?: true;
  readonly action?: string;
  readonly appId?: string;
  readonly runner?: string;
  readonly events?: true;
  readonly dryRun?: true;
}

const ACTION = /^[\w.-]+\/[\w.-]+@[0-9a-f]{40}$/;
const APP = /^[1-9]\d{0,14}$/;
const RUNNER = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** Ends with a usage error where the flags do not fit; else nothing. */
export function checkGithubFlags(
  command: Command,
  { github, action, appId, runner, events, dryRun }: GithubFlags,
): void {
  if (!github) {
    const alone = {
      ...{ "--action": action, "--app-id": appId, "--runner": runner, "--events": events },
      "--dry-run": dryRun,
    };
    const [flag] = Object.entries(alone).find(([, given]) => given !== undefined) ?? [];
    if (flag !== undefined) refuseUsage(command, setupAdvice.alone(flag));
    return;
  }
  if (action === undefined) refuseUsage(command, setupAdvice.noAction(docsPath("action.md")));
  else if (!ACTION.test(action)) refuseUsage(command, setupAdvice.wrongAction(action, docsPath("action.md")));
  if (appId !== undefined && !APP.test(appId)) refuseUsage(command, setupAdvice.wrongApp(appId));
  if (runner !== undefined && !RUNNER.test(runner)) refuseUsage(command, setupAdvice.wrongRunner(runner));
}

/** Writes what a repository on GitHub needs beside the project file, and says what is left for people to do. */
export async function initGithub(
  { program, terminal, version }: Surface,
  { action = "", appId, runner = "koryph", events, dryRun }: GithubFlags,
): Promise<void> {
  const opened: Project = await openProject(projectFolder(program), version);
  const { root, config } = opened;
  const { project_id: project, work_source: workSource, merge_policy, signing, jobs, land } = config;
  const app = appId === undefined ? null : Number(appId);
  const files = githubFiles({
    ...{ project, action, workSource, app, runner, signed: signing.required && signing.email !== undefined },
    autoMerge: merge_policy === "auto",
    jobs: { workflow: jobs.workflow ?? null, kinds: jobs.kinds },
    events: events ? { checks: checkingWorkflows(await readWorkflows(root)) } : null,
  });
  const dry = dryRun ?? false;
  for (const file of files) {
    const answer = await writeSetupFile(root, file, !dry);
    terminal.out(setupWords[answer.kind](file.path, dry, app));
    if (answer.kind !== "other" || file.earlier === undefined || app === null) continue;
    const lacking = setupWords.bypass(answer.found, app);
    if (lacking !== null) terminal.out(lacking);
  }
  for (const line of await makeSetupLabels(opened, dry)) terminal.out(line);
  const asked = new Set(jobs.workflow === undefined ? [] : jobs.kinds);
  const steps = setupSteps({
    ...{ dry, action, app, workSource, runner, signingKey: asked.has("rebase"), events: events ?? false },
    gateShown: land.gate === "checks" || asked.has("gate"),
    answersToo: app !== null && existsSync(join(root, EVENTS_FILE)),
  });
  terminal.out(steps.join("\n"));
}
