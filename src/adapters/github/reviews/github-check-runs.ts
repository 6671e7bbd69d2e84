import { z } from "zod";
import { ANNOTATIONS_AT_ONCE } from "../../../core/review/pull/limits.js";
import { batchesOf } from "../../../lib/fit/batches-of.js";
import type { CheckRunReport, CheckRuns, Published } from "../../../ports/check-runs.js";
import type { Octokit } from "../app-client.js";
import { readPages } from "../read-pages.js";
import { type RepositoryAt, repositoryAt } from "../repository-at.js";
import { statusOf } from "../request-error.js";

const Run = z.object({
  id: z.number(),
  html_url: z.string().nullish(),
  external_id: z.string().nullish(),
  status: z.string(),
  output: z.object({ annotations_count: z.number().default(0) }),
});
type Run = z.infer<typeof Run>;

/** Annotations as GitHub takes them. */
export function sentAnnotations(annotations: CheckRunReport["annotations"]) {
  return annotations.map(({ path, line, level, title, message }) => ({
    ...{ path, start_line: line, end_line: line, annotation_level: level, title, message },
  }));
}

/** Check runs on GitHub, as the App whose token the client has. */
export class GithubCheckRuns implements CheckRuns {
  readonly #octokit: () => Promise<Octokit>;
  readonly #at: RepositoryAt;

  /** `repository` is `owner/name`. */
  constructor(octokit: () => Promise<Octokit>, repository: string) {
    this.#octokit = octokit;
    this.#at = repositoryAt(repository);
  }

  async publish(report: CheckRunReport): Promise<Published> {
    const octokit = await this.#octokit();
    try {
      const there = await this.#find(octokit, report);
      const run = there ?? (await this.#create(octokit, report));
      const ended = await this.#finish(octokit, run, report);
      return { kind: "published", url: ended.html_url ?? "" };
    } catch (error) {
      if (statusOf(error) === 403 || statusOf(error) === 404) return { kind: "not-allowed" };
      throw error;
    }
  }

  async #find(octokit: Octokit, { name, head, externalId }: CheckRunReport): Promise<Run | null> {
    const pages = readPages(Run, async (page) => {
      const asked = { ...this.#at, ref: head, check_name: name, filter: "all" as const, ...page };
      const { data } = await octokit.rest.checks.listForRef(asked);
      return { data: data.check_runs };
    });
    for await (const run of pages) if (run.external_id === externalId) return run;
    return null;
  }

  async #create(octokit: Octokit, { name, head, externalId, title, summary }: CheckRunReport): Promise<Run> {
    const { data } = await octokit.rest.checks.create({
      ...this.#at,
      ...{ name, head_sha: head, external_id: externalId, status: "in_progress" as const },
      output: { title, summary },
    });
    return Run.parse(data);
  }

  /** GitHub adds annotations to those that are there, so a run that was cut short goes on where it stopped. */
  async #finish(octokit: Octokit, run: Run, report: CheckRunReport): Promise<Run> {
    if (run.status === "completed") return run;
    const { title, summary, text, conclusion } = report;
    const left = report.annotations.slice(run.output.annotations_count);
    const batches = batchesOf(left, ANNOTATIONS_AT_ONCE);
    const last = batches.pop() ?? [];
    const write = async (annotations: CheckRunReport["annotations"], end: object) => {
      const { data } = await octokit.rest.checks.update({
        ...this.#at,
        check_run_id: run.id,
        ...end,
        output: {
          ...{ title, summary, ...(text === "" ? {} : { text }) },
          annotations: sentAnnotations(annotations),
        },
      });
      return Run.parse(data);
    };
    for (const batch of batches) await write(batch, {});
    return write(last, { status: "completed" as const, conclusion });
  }
}
