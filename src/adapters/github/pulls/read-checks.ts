import { z } from "zod";
import type { SeenCheck } from "../../../core/land/pull/judge-checks.js";
import type { Octokit } from "../app-client.js";
import { readPages } from "../read-pages.js";
import type { RepositoryAt } from "../repository-at.js";

const CheckRun = z.object({
  id: z.number(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullable(),
  app: z.object({ id: z.number(), slug: z.string().nullish() }).nullable(),
});
const Status = z.object({ id: z.number(), context: z.string(), state: z.string() });
const WorkflowRun = z.object({ id: z.number(), head_sha: z.string() });
const WorkflowJob = z.object({ head_sha: z.string(), check_run_url: z.string() });

const ACTIONS = "github-actions";

/** All reports on a commit: check runs of every page, and commit statuses. */
export async function readChecks(
  octokit: Octokit,
  at: RepositoryAt,
  { head, names }: { readonly head: string; readonly names: readonly string[] },
): Promise<SeenCheck[]> {
  const runs: z.infer<typeof CheckRun>[] = [];
  const pages = readPages(CheckRun, async (page) => {
    const { data } = await octokit.rest.checks.listForRef({ ...at, ref: head, filter: "all", ...page });
    return { data: data.check_runs };
  });
  for await (const run of pages) runs.push(run);
  const wanted = runs.some(({ name, app }) => app?.slug === ACTIONS && names.includes(name));
  const jobs = wanted ? await jobsOf(octokit, at, head) : new Set<number>();
  return [
    ...runs.map(
      ({ id, name, status, conclusion, app }): SeenCheck => ({
        name,
        app: app?.id ?? null,
        status: status === "completed" ? "done" : "under-way",
        state: status === "completed" ? (conclusion ?? "unknown") : status,
        order: id,
        jobOfHead: app?.slug === ACTIONS ? jobs.has(id) : null,
      }),
    ),
    ...(await readStatuses(octokit, at, head)),
  ];
}

async function readStatuses(octokit: Octokit, at: RepositoryAt, head: string): Promise<SeenCheck[]> {
  const found: SeenCheck[] = [];
  const pages = readPages(Status, (page) =>
    octokit.rest.repos.listCommitStatusesForRef({ ...at, ref: head, ...page }),
  );
  for await (const { id, context: name, state } of pages) {
    const status = state === "pending" ? "under-way" : "done";
    found.push({ name, app: null, status, state, order: id, jobOfHead: null });
  }
  return found;
}

/** The check runs that are jobs of workflow runs of this very commit. */
async function jobsOf(octokit: Octokit, at: RepositoryAt, head: string): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  const runs = readPages(WorkflowRun, async (page) => {
    const { data } = await octokit.rest.actions.listWorkflowRunsForRepo({ ...at, head_sha: head, ...page });
    return { data: data.workflow_runs };
  });
  for await (const run of runs) {
    // GitHub leaves out a filter that it cannot read.
    if (run.head_sha !== head) continue;
    const jobs = readPages(WorkflowJob, async (page) => {
      const asked = { ...at, run_id: run.id, filter: "all" as const, ...page };
      return { data: (await octokit.rest.actions.listJobsForWorkflowRun(asked)).data.jobs };
    });
    for await (const { head_sha, check_run_url } of jobs)
      if (head_sha === head) found.add(Number(/\/check-runs\/(\d+)$/.exec(check_run_url)?.[1] ?? 0));
  }
  return found;
}
