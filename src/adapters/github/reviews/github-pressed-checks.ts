import { z } from "zod";
import { withAnswer } from "../../../core/replies/report/answer-line.js";
import type { CheckButton, PressedCheck, PressedChecks } from "../../../ports/check-runs.js";
import type { Octokit } from "../app-client.js";
import { type RepositoryAt, repositoryAt } from "../repository-at.js";
import { unlessGone } from "../request-error.js";

const Check = z.object({
  status: z.string(),
  external_id: z.string().nullish(),
  html_url: z.string().nullish(),
  started_at: z.string().nullish(),
  app: z.object({ id: z.number() }).nullish().catch(null),
  output: z.object({ title: z.string().nullish(), summary: z.string().nullish() }),
});

/** Check runs of the App's own, on which people press buttons. */
export class GithubPressedChecks implements PressedChecks {
  readonly #octokit: () => Promise<Octokit>;
  readonly #at: RepositoryAt;

  /** `repository` is `owner/name`. */
  constructor(octokit: () => Promise<Octokit>, repository: string) {
    this.#octokit = octokit;
    this.#at = repositoryAt(repository);
  }

  async read(id: number): Promise<PressedCheck | null> {
    const found = await this.#read(id);
    if (found === null) return null;
    const { app, external_id, html_url, started_at, status } = found;
    return {
      app: app?.id ?? null,
      externalId: external_id ?? "",
      url: html_url ?? "",
      startedAt: Date.parse(started_at ?? "") || 0,
      ended: status === "completed",
    };
  }

  async answer(id: number, line: string, buttons: readonly CheckButton[]): Promise<void> {
    const found = await this.#read(id);
    if (found === null || found.status !== "completed") return;
    const { title, summary } = found.output;
    const after = withAnswer(summary ?? "", line);
    const octokit = await this.#octokit();
    await unlessGone(
      octokit.rest.checks.update({
        ...{ ...this.#at, check_run_id: id, actions: buttons.map((button) => ({ ...button })) },
        output: { title: title ?? "", summary: after },
      }),
    );
  }

  async #read(id: number): Promise<z.infer<typeof Check> | null> {
    const octokit = await this.#octokit();
    const answer = await unlessGone(octokit.rest.checks.get({ ...this.#at, check_run_id: id }));
    return answer === null ? null : Check.parse(answer.data);
  }
}
