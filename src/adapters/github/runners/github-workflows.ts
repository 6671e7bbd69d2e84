import { z } from "zod";
import type { RunnerRun } from "../../../core/jobs/runner-run.js";
import type { DispatchedRun, Workflows } from "../../../ports/check-runs.js";
import type { Octokit } from "../app-client.js";
import { branchHas } from "../branch-has.js";
import { readPages } from "../read-pages.js";
import { type RepositoryAt, repositoryAt } from "../repository-at.js";
import { statusOf, unlessGone } from "../request-error.js";

const Login = z.object({ login: z.string() }).nullish();
const Run = z.object({
  id: z.number(),
  html_url: z.string(),
  event: z.string(),
  actor: Login,
  triggering_actor: Login,
  run_attempt: z.number().default(1),
  path: z.string(),
  head_branch: z.string().nullable(),
  head_sha: z.string(),
  status: z.string().nullable(),
  conclusion: z.string().nullable(),
});
const RunJob = z.object({ name: z.string(), conclusion: z.string().nullable() });
const Dispatched = z.object({ workflow_run_id: z.number(), html_url: z.string() });
const Repository = z.object({ default_branch: z.string() });

/** Workflows of one repository on GitHub. */
export class GithubWorkflows implements Workflows {
  readonly #octokit: () => Promise<Octokit>;
  readonly #at: RepositoryAt;

  /** `repository` is `owner/name`. */
  constructor(octokit: () => Promise<Octokit>, repository: string) {
    this.#octokit = octokit;
    this.#at = repositoryAt(repository);
  }

  async defaultBranch(): Promise<string> {
    const octokit = await this.#octokit();
    const { data } = await octokit.rest.repos.get({ ...this.#at });
    return Repository.parse(data).default_branch;
  }

  async dispatch(
    workflow: string,
    branch: string,
    inputs: Readonly<Record<string, string>>,
  ): Promise<DispatchedRun> {
    const octokit = await this.#octokit();
    try {
      const { data } = await octokit.rest.actions.createWorkflowDispatch({
        ...this.#at,
        ...{ workflow_id: workflow, ref: branch, inputs, return_run_details: true },
      });
      const { workflow_run_id: run, html_url: url } = Dispatched.parse(data);
      return { kind: "dispatched", run, url };
    } catch (error) {
      const status = statusOf(error);
      // No such workflow, one that takes no dispatch or other inputs, or a permission that the App lacks.
      if (status === 403 || status === 404 || status === 422) return { kind: "refused", status };
      throw error;
    }
  }

  async run(id: number): Promise<RunnerRun | null> {
    const octokit = await this.#octokit();
    const answer = await unlessGone(octokit.rest.actions.getWorkflowRun({ ...this.#at, run_id: id }));
    if (answer === null) return null;
    const run = Run.parse(answer.data);
    return {
      ...{ id: run.id, url: run.html_url, event: run.event, attempt: run.run_attempt, path: run.path },
      ...{ actor: run.actor?.login ?? "", triggeredBy: run.triggering_actor?.login ?? "" },
      ...{
        branch: run.head_branch ?? "",
        headSha: run.head_sha,
        status: run.status ?? "",
        conclusion: run.conclusion,
      },
    };
  }
  async jobEnd(run: number, name: string): Promise<string | null> {
    const octokit = await this.#octokit();
    const ends: (string | null)[] = [];
    const pages = readPages(RunJob, async (page) => {
      const asked = { ...this.#at, run_id: run, ...page };
      return { data: (await octokit.rest.actions.listJobsForWorkflowRun(asked)).data.jobs };
    });
    for await (const job of pages) if (job.name === name) ends.push(job.conclusion);
    return ends.length === 1 ? (ends[0] ?? null) : null;
  }

  async isOn(branch: string, commit: string): Promise<boolean> {
    return branchHas(await this.#octokit(), this.#at, { branch, commit });
  }
}
