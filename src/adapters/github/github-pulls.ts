import { z } from "zod";
import { UserError } from "../../lib/user-error.js";
import { OutsideFault } from "../../ports/outside-fault.js";
import type { OpenedPull, PullFacts, Pulls, WantedPull } from "../../ports/pulls.js";
import type { Octokit } from "./app-client.js";
import { branchHas } from "./branch-has.js";
import { readPages } from "./read-pages.js";
import { type RepositoryAt, repositoryAt } from "./repository-at.js";
import { answerOf, statusOf, unlessGone } from "./request-error.js";

const Repo = z.object({ id: z.number(), full_name: z.string() });
const Pull = z.object({
  number: z.number(),
  html_url: z.string(),
  title: z.string(),
  body: z.string().nullish(),
  user: z.object({ login: z.string(), id: z.number(), type: z.string().default("User") }).nullable(),
  state: z.enum(["open", "closed"]),
  draft: z.boolean().default(false),
  merged_at: z.string().nullish(),
  merge_commit_sha: z.string().nullish(),
  merged_by: z.object({ login: z.string() }).nullish(),
  head: z.object({ ref: z.string(), sha: z.string(), repo: Repo.nullable() }),
  base: z.object({ ref: z.string(), sha: z.string(), repo: Repo }),
  updated_at: z.string(),
});

const Refusal = z.object({
  message: z.string(),
  errors: z.array(z.object({ message: z.string().optional() }).catch({})).catch([]),
});

/** Whose account is gone. */
const GHOST = { login: "ghost", id: 0, isBot: false };

/** The pull requests of one repository on GitHub, with whichever token the client has. */
export class GithubPulls implements Pulls {
  readonly #octokit: () => Promise<Octokit>;
  readonly #at: RepositoryAt;

  /** `repository` is `owner/name`. */
  constructor(octokit: () => Promise<Octokit>, repository: string) {
    this.#octokit = octokit;
    this.#at = repositoryAt(repository);
  }

  async read(pull: number): Promise<PullFacts | null> {
    const octokit = await this.#octokit();
    const answer = await unlessGone(octokit.rest.pulls.get({ ...this.#at, pull_number: pull }));
    return answer && factsOf(Pull.parse(answer.data));
  }

  async listOpen(): Promise<readonly PullFacts[]> {
    return this.#list({ state: "open" });
  }

  async findByBranch(branch: string): Promise<PullFacts | null> {
    const head = `${this.#at.owner}:${branch}`;
    const found = await this.#list({ state: "all", head });
    // GitHub leaves the filter out where it cannot read it, and the owner may have a fork of the same name.
    const own = found.filter((pull) => !pull.head.fork && pull.head.branch === branch);
    return own.find(({ state }) => state === "open") ?? own[0] ?? null;
  }

  async open(wanted: WantedPull): Promise<OpenedPull> {
    try {
      return { kind: "open", pull: await this.#open(wanted) };
    } catch (error) {
      const why = refusalIn(error);
      if (why === null) throw error;
      return { kind: "refused", why };
    }
  }

  async #open({ branch, base, title, body }: WantedPull): Promise<PullFacts> {
    const octokit = await this.#octokit();
    const there = await this.findByBranch(branch);
    if (there?.state !== "open") return this.#create({ branch, base, title, body });
    if (there.title === title && there.body === body && there.base.branch === base) return there;
    const { data } = await octokit.rest.pulls.update({
      ...this.#at,
      pull_number: there.number,
      title,
      body,
      base,
    });
    return factsOf(Pull.parse(data));
  }

  async isOn(branch: string, commit: string): Promise<boolean> {
    return branchHas(await this.#octokit(), this.#at, { branch, commit });
  }

  async close(pull: number): Promise<void> {
    const octokit = await this.#octokit();
    await unlessGone(octokit.rest.pulls.update({ ...this.#at, pull_number: pull, state: "closed" }));
  }

  async deleteBranch(branch: string, head: string): Promise<"gone" | "moved"> {
    const octokit = await this.#octokit();
    const ref = `heads/${branch}`;
    const there = await unlessGone(octokit.rest.git.getRef({ ...this.#at, ref }));
    if (there === null) return "gone";
    if (there.data.object.sha !== head) return "moved";
    await this.#deleteRef(octokit, ref);
    return "gone";
  }

  async #deleteRef(octokit: Octokit, ref: string): Promise<void> {
    try {
      await octokit.rest.git.deleteRef({ ...this.#at, ref });
    } catch (error) {
      // What GitHub says of a ref that somebody else has deleted meanwhile.
      if (statusOf(error) !== 422 && statusOf(error) !== 404) throw error;
    }
  }

  async #create({ branch, base, title, body }: WantedPull): Promise<PullFacts> {
    const octokit = await this.#octokit();
    try {
      const { data } = await octokit.rest.pulls.create({ ...this.#at, head: branch, base, title, body });
      return factsOf(Pull.parse(data));
    } catch (error) {
      // Also where an answer got lost: it may be there all the same.
      const there = await this.findByBranch(branch);
      if (there?.state === "open") return there;
      throw error;
    }
  }

  async #list(filter: { readonly state: "open" | "all"; readonly head?: string }): Promise<PullFacts[]> {
    const octokit = await this.#octokit();
    const pages = readPages(Pull, (page) =>
      octokit.rest.pulls.list({ ...this.#at, ...filter, sort: "created", direction: "desc", ...page }),
    );
    const found: PullFacts[] = [];
    for await (const pull of pages) found.push(factsOf(pull));
    return found;
  }
}

/** What GitHub says where it turns a wish down; null for every other failure. */
function refusalIn(error: unknown): string | null {
  if (error instanceof UserError && !(error instanceof OutsideFault)) return error.message;
  const answer = answerOf(error);
  if (answer === null || ![403, 404, 422].includes(answer.status)) return null;
  const data = Refusal.safeParse(answer.data).data;
  const details = data?.errors.flatMap(({ message }) => message ?? []) ?? [];
  return [data?.message ?? `GitHub answered ${answer.status}`, ...details].join(": ");
}

function factsOf(pull: z.infer<typeof Pull>): PullFacts {
  const { head, base, user } = pull;
  return {
    number: pull.number,
    url: pull.html_url,
    title: pull.title,
    body: pull.body ?? "",
    author: user === null ? GHOST : { login: user.login, id: user.id, isBot: user.type !== "User" },
    state: pull.state,
    draft: pull.draft,
    merged: pull.merged_at
      ? { commit: pull.merge_commit_sha ?? null, by: pull.merged_by?.login ?? null }
      : null,
    head: {
      branch: head.ref,
      sha: head.sha,
      fork: head.repo?.id !== base.repo.id,
      repository: head.repo?.full_name ?? null,
    },
    base: { branch: base.ref, sha: base.sha },
    updatedAt: pull.updated_at,
  };
}
