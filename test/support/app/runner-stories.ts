import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { parse } from "yaml";
import { runGit } from "../../../src/adapters/git/exec/run-git.js";
import { starterProject } from "../../../src/core/config/starter-project.js";
import { type CompositeResult, runComposite } from "../cli/run-composite.js";
import { type AppWorld, REPOSITORY } from "./app-world.js";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));

/** A project whose workflow does jobs, on the default branch. */
export async function setUpJobs(
  world: AppWorld,
  { project = {}, files = {} }: { project?: Record<string, unknown>; files?: Record<string, string> } = {},
): Promise<void> {
  const starter = JSON.parse(starterProject("shop", ["true"])) as Record<string, unknown>;
  await world.sandbox.commit(REPOSITORY, "main", {
    ...{ "koryph.project.json": JSON.stringify({ ...starter, containment: "off", ...project }), ...files },
    ".github/workflows/koryph.yml": "on: workflow_dispatch\n",
  });
}

interface WorkflowJob {
  readonly permissions: Readonly<Record<string, "read" | "write">>;
}

const PAGE = readFileSync(join(CHECKOUT, "docs", "action.md"), "utf8");
const EXAMPLE = /```yaml\n(name: koryph\n[\s\S]*?workflow_dispatch[\s\S]*?)```/.exec(PAGE)?.[1] ?? "";

/** The workflow of docs/action.md. */
const jobsWorkflow = parse(EXAMPLE) as { readonly jobs: Readonly<Record<string, WorkflowJob>> };

export const runIds = (world: AppWorld) =>
  world.repository.workflowRuns.filter(({ event }) => event === "workflow_dispatch").map(({ id }) => id);

export function runOf(world: AppWorld, id: number) {
  const found = world.repository.workflowRuns.find((run) => run.id === id);
  if (found === undefined) throw new Error(`no run ${id}`);
  return { ...found, inputs: found.inputs as Record<string, string> };
}

/** What a runner does that GitHub gave the run to, with the permissions of docs/action.md. */
export async function runs(
  world: AppWorld,
  id: number,
  given: Record<string, string> = {},
): Promise<CompositeResult & { readonly token: string }> {
  const workspace = mkdtempSync(join(world.home, "runner-"));
  const clone = ["clone", "--quiet", world.repository.gitDir, "checkout"];
  expect(await runGit(workspace, clone)).toMatchObject({ code: 0 });
  const { inputs } = runOf(world, id);
  const granted = Object.entries(jobsWorkflow.jobs[inputs.kind ?? ""]?.permissions ?? {});
  // Workflows and Apps write their names differently.
  const permissions = Object.fromEntries(granted.map(([name, level]) => [name.replaceAll("-", "_"), level]));
  const token = world.sandbox.actionsToken(REPOSITORY, { metadata: "read", ...permissions });
  const result = await runComposite({
    actionPath: CHECKOUT,
    workspace: join(workspace, "checkout"),
    inputs: { mode: "job", token, ...inputs, ...given },
    env: {
      ...{ GIT_CONFIG_NOSYSTEM: "1", HOME: workspace, KORYPH_HOME: join(workspace, "k") },
      ...{ GITHUB_API_URL: world.sandbox.url, GITHUB_SERVER_URL: world.sandbox.url },
      ...{ GITHUB_REPOSITORY: REPOSITORY, GITHUB_RUN_ID: `${id}` },
    },
  });
  return { ...result, token };
}

/** A person starts the same workflow with the same inputs; the run's number. */
export async function dispatchedBy(
  world: AppWorld,
  login: string,
  inputs: Record<string, string>,
): Promise<number> {
  const path = `/repos/${REPOSITORY}/actions/workflows/koryph.yml/dispatches`;
  const answer = await fetch(`${world.sandbox.url}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${world.sandbox.tokenFor(login)}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ ref: "main", inputs, return_run_details: true }),
  });
  return ((await answer.json()) as { workflow_run_id: number }).workflow_run_id;
}

/** What a run said that failed. */
export const saidBy = ({ annotations }: Awaited<ReturnType<typeof runs>>) =>
  annotations.map(({ message }) => message).join("\n");
