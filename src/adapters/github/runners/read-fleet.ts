import { z } from "zod";
import type { SeenRunner } from "../../../core/doctor/examine-runners.js";
import type { Octokit } from "../app-client.js";
import { readPages } from "../read-pages.js";
import { readRepositoryFile } from "../read-repository-file.js";
import { repositoryAt } from "../repository-at.js";
import { statusOf, unlessGone } from "../request-error.js";

const FOLDER = ".github/workflows";
/** Of so many files koryph's own are looked for. */
const MOST_FILES = 50;
const LAST_RUNS = 20;

const Entry = z.object({ name: z.string(), type: z.string() });
const Workflow = z.object({ state: z.string(), created_at: z.string() });
const Run = z.object({ created_at: z.string() });
const Runner = z.object({
  name: z.string(),
  status: z.string(),
  labels: z.array(z.object({ name: z.string() })),
});

export interface WorkflowFile {
  readonly file: string;
  readonly text: string;
}

/** The workflows of a branch. */
export async function readWorkflowFiles(
  octokit: Octokit,
  repository: string,
  ref: string,
): Promise<readonly WorkflowFile[]> {
  const asked = { ...repositoryAt(repository), path: FOLDER, ref };
  const answer = await unlessGone(octokit.rest.repos.getContent(asked));
  if (answer === null || !Array.isArray(answer.data)) return [];
  const files = z
    .array(Entry)
    .parse(answer.data)
    .filter(({ name, type }) => type === "file" && /\.ya?ml$/.test(name));
  const found: WorkflowFile[] = [];
  for (const { name: file } of files.slice(0, MOST_FILES)) {
    const text = await readRepositoryFile(octokit, repository, `${FOLDER}/${file}`, ref);
    if (text !== null) found.push({ file, text });
  }
  return found;
}

/** Whether GitHub runs a workflow, and when it last did by the clock; null where the token may not see it. */
export async function readScheduledRuns(
  octokit: Octokit,
  repository: string,
  file: string,
): Promise<{ readonly state: string; readonly since: string; readonly runs: readonly string[] } | null> {
  const at = { ...repositoryAt(repository), workflow_id: file };
  return unlessHidden(async () => {
    const { state, created_at: since } = Workflow.parse((await octokit.rest.actions.getWorkflow(at)).data);
    const asked = { ...at, event: "schedule", per_page: LAST_RUNS };
    const { data } = await octokit.rest.actions.listWorkflowRuns(asked);
    const runs = z.array(Run).parse(data.workflow_runs);
    return { state, since, runs: runs.map(({ created_at }) => created_at) };
  });
}

/** Machines of the repository's own; null where only its administrators may see them. */
export function readOwnRunners(octokit: Octokit, repository: string): Promise<readonly SeenRunner[] | null> {
  const at = repositoryAt(repository);
  return readRunners((page) => octokit.rest.actions.listSelfHostedRunnersForRepo({ ...at, ...page }));
}

/** Those that an organisation's repositories share; null where only its owners may see them. */
export function readSharedRunners(octokit: Octokit, org: string): Promise<readonly SeenRunner[] | null> {
  return readRunners((page) => octokit.rest.actions.listSelfHostedRunnersForOrg({ org, ...page }));
}

function readRunners(
  ask: (page: { per_page: number; page: number }) => Promise<{ data: { runners: unknown } }>,
): Promise<readonly SeenRunner[] | null> {
  return unlessHidden(async () => {
    const found: SeenRunner[] = [];
    const pages = readPages(Runner, async (page) => ({ data: (await ask(page)).data.runners }));
    for await (const { name, status, labels } of pages)
      found.push({ name, online: status === "online", labels: labels.map((label) => label.name) });
    return found;
  });
}

async function unlessHidden<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (statusOf(error) === 403 || statusOf(error) === 404) return null;
    throw error;
  }
}
