import { z } from "zod";
import { ANNOTATIONS_AT_ONCE } from "../../../core/review/pull/limits.js";
import { batchesOf } from "../../../lib/fit/batches-of.js";
import type { ShownCheck, WaveCheck, WaveChecks } from "../../../ports/check-runs.js";
import type { Octokit } from "../app-client.js";
import { type RepositoryAt, repositoryAt } from "../repository-at.js";
import { statusOf, unlessGone } from "../request-error.js";
import { sentAnnotations } from "./github-check-runs.js";

const Found = z.object({ id: z.number(), status: z.string() });
const Owner = z.object({ slug: z.string().nullish(), events: z.array(z.string()).default([]) });
const Shown = z.object({ id: z.number(), app: Owner.nullish().catch(null) });
const Listed = z.object({ id: z.number(), external_id: z.string().nullish() });

/** All workflows' tokens are those of this App, which tells nobody of a button. */
const ACTIONS = "github-actions";
/** An App that has none of these webhooks is there for its token only. */
const NEEDED_EVENTS = ["check_run", "issue_comment"];

/** The token may not write any, or GitHub knows no such commit. */
const NOT_WRITTEN: ReadonlySet<number | null> = new Set([403, 404, 422]);

/** Check runs on GitHub that show waves, as the App whose token the client has: a workflow's is that of Actions. */
export class GithubWaveChecks implements WaveChecks {
  readonly #octokit: () => Promise<Octokit>;
  readonly #at: RepositoryAt;

  /** `repository` is `owner/name`. */
  constructor(octokit: () => Promise<Octokit>, repository: string) {
    this.#octokit = octokit;
    this.#at = repositoryAt(repository);
  }

  async show(check: WaveCheck, known: number | null): Promise<ShownCheck | null> {
    const octokit = await this.#octokit();
    const [first = [], ...more] = batchesOf(check.annotations, ANNOTATIONS_AT_ONCE);
    try {
      const shown = await this.#write(octokit, check, known, first);
      for (const batch of more) await this.#write(octokit, check, shown.id, batch);
      return shown;
    } catch (error) {
      if (NOT_WRITTEN.has(statusOf(error))) return null;
      throw error;
    }
  }

  async open(head: string): Promise<readonly { readonly id: number; readonly externalId: string }[]> {
    const octokit = await this.#octokit();
    const asked = { ...this.#at, ref: head, status: "in_progress" as const, filter: "all" as const };
    try {
      const { data } = await octokit.rest.checks.listForRef({ ...asked, per_page: 100 });
      const found = z.array(Listed).parse(data.check_runs);
      return found.map(({ id, external_id }) => ({ id, externalId: external_id ?? "" }));
    } catch (error) {
      // A token that may read none could end none either.
      if (NOT_WRITTEN.has(statusOf(error))) return [];
      throw error;
    }
  }

  async close(id: number, { title, summary }: Pick<WaveCheck, "title" | "summary">): Promise<void> {
    const octokit = await this.#octokit();
    const at = { ...this.#at, check_run_id: id };
    const found = await unlessGone(octokit.rest.checks.get(at));
    if (found === null || Found.parse(found.data).status === "completed") return;
    const end = { status: "completed" as const, conclusion: "neutral" as const, output: { title, summary } };
    await unlessGone(octokit.rest.checks.update({ ...at, ...end, actions: [] }));
  }

  async #write(
    octokit: Octokit,
    { name, head, externalId, detailsUrl, title, summary, conclusion, buttons }: WaveCheck,
    known: number | null,
    annotations: WaveCheck["annotations"],
  ): Promise<ShownCheck> {
    const said = {
      ...this.#at,
      ...(conclusion === null
        ? { status: "in_progress" as const }
        : { status: "completed" as const, conclusion }),
      actions: buttons.map((button) => ({ ...button })),
      ...{ details_url: detailsUrl, output: { title, summary, annotations: sentAnnotations(annotations) } },
    };
    const made = { ...said, name, head_sha: head, external_id: externalId };
    const { data } =
      known === null
        ? await octokit.rest.checks.create(made)
        : await octokit.rest.checks.update({ ...said, check_run_id: known });
    const { id, app } = Shown.parse(data);
    return { id, heard: isHeard(app ?? null) };
  }
}

function isHeard(app: z.infer<typeof Owner> | null): boolean {
  return app !== null && app.slug !== ACTIONS && NEEDED_EVENTS.every((event) => app.events.includes(event));
}
