import { z } from "zod";
import { type BaseRule, closesBranch } from "../../../core/land/pull/base-rules.js";
import type { SeenCheck } from "../../../core/land/pull/judge-checks.js";
import type { PullLandFacts } from "../../../core/land/pull/pull-land-facts.js";
import { rulesWords } from "../../../core/replies/land/pull/pull-words.js";
import type { BaseConditions } from "../../../ports/base-conditions.js";
import type { Octokit } from "../app-client.js";
import { readPages } from "../read-pages.js";
import { type RepositoryAt, repositoryAt } from "../repository-at.js";
import { statusOf } from "../request-error.js";
import { readChecks } from "./read-checks.js";

const Rule = z.object({
  type: z.string(),
  parameters: z.record(z.string(), z.unknown()).optional(),
  ruleset_id: z.number().optional(),
});
const Branch = z.object({ protection: z.object({ enabled: z.boolean().optional() }).optional() });
const Ruleset = z.object({ name: z.string(), current_user_can_bypass: z.string().optional() });

const BYPASS: ReadonlySet<string> = new Set(["always", "exempt"]);

/** Rules and checks of one repository on GitHub, with whichever token the client has. */
export class GithubBaseConditions implements BaseConditions {
  readonly #octokit: () => Promise<Octokit>;
  readonly #at: RepositoryAt;
  readonly #rulesets: "closing" | "all";

  /** `repository` is `owner/name`. A landing has no use for rulesets that a push does not break, each a request. */
  constructor(octokit: () => Promise<Octokit>, repository: string, rulesets: "closing" | "all" = "closing") {
    this.#octokit = octokit;
    this.#at = repositoryAt(repository);
    this.#rulesets = rulesets;
  }

  async rules(branch: string): Promise<PullLandFacts["rules"]> {
    try {
      return await this.#rules(branch);
    } catch (error) {
      unlessHidden(error);
      return { kind: "unreadable", why: rulesWords.hidden() };
    }
  }

  async #rules(branch: string): Promise<PullLandFacts["rules"]> {
    const octokit = await this.#octokit();
    const { data } = await octokit.rest.repos.getBranch({ ...this.#at, branch });
    // What it asks for is for administrators to read, and an app has no business being one.
    if (Branch.parse(data).protection?.enabled === true)
      return { kind: "unreadable", why: rulesWords.olderProtection() };
    const found: z.infer<typeof Rule>[] = [];
    const pages = readPages(Rule, (page) =>
      octokit.rest.repos.getBranchRules({ ...this.#at, branch, ...page }),
    );
    for await (const rule of pages) found.push(rule);
    const rulesets = new Map<number, BaseRule["ruleset"]>();
    // Those that a push breaks first: of them it has to be known, of the others it is good to know.
    const closingFirst = found.toSorted(
      (a, b) => Number(closesBranch(b.type)) - Number(closesBranch(a.type)),
    );
    for (const { type, ruleset_id: id } of closingFirst) {
      if (id === undefined || rulesets.has(id)) continue;
      if (closesBranch(type)) rulesets.set(id, await this.#ruleset(octokit, id));
      else if (this.#rulesets === "all")
        rulesets.set(id, await this.#ruleset(octokit, id).catch(unlessHidden));
    }
    const rules = found.map(({ type, parameters = {}, ruleset_id: id }) => ({
      ...{ type, parameters },
      ruleset: rulesets.get(id ?? 0) ?? null,
    }));
    return { kind: "read", rules };
  }

  async #ruleset(octokit: Octokit, id: number): Promise<BaseRule["ruleset"]> {
    const { data } = await octokit.rest.repos.getRepoRuleset({ ...this.#at, ruleset_id: id });
    const { name, current_user_can_bypass: bypass = "" } = Ruleset.parse(data);
    return { name, bypassed: BYPASS.has(bypass) };
  }

  async checks(head: string, names: readonly string[]): Promise<readonly SeenCheck[]> {
    return readChecks(await this.#octokit(), this.#at, { head, names });
  }
}

/** Null for what this token may not see; throws anything else. */
function unlessHidden(error: unknown): null {
  if (statusOf(error) === 403 || statusOf(error) === 404) return null;
  throw error;
}
