import { z } from "zod";
import type { RulesetFacts } from "../../../core/doctor/examine-bypass.js";
import type { Octokit } from "../app-client.js";
import { readPages } from "../read-pages.js";
import { repositoryAt } from "../repository-at.js";
import { statusOf } from "../request-error.js";

const Rule = z.object({ type: z.string(), ruleset_id: z.number().optional() });
const Ruleset = z.object({
  name: z.string(),
  bypass_actors: z
    .array(z.object({ actor_type: z.string(), actor_id: z.number().nullish(), bypass_mode: z.string() }))
    .optional(),
  current_user_can_bypass: z.string().optional(),
});

/** Who may bypass each ruleset of a branch, as one may see it and as the App, where it can ask, is told. */
export async function readBypass(
  octokit: Octokit,
  {
    repository,
    branch,
    asApp,
  }: {
    readonly repository: string;
    readonly branch: string;
    readonly asApp: Octokit | null;
  },
): Promise<readonly RulesetFacts[]> {
  const at = repositoryAt(repository);
  const types = new Map<number, string[]>();
  const pages = readPages(Rule, (page) => octokit.rest.repos.getBranchRules({ ...at, branch, ...page }));
  for await (const { type, ruleset_id: id } of pages)
    if (id !== undefined) types.set(id, [...(types.get(id) ?? []), type]);
  const found: RulesetFacts[] = [];
  for (const [id, rules] of types) {
    const ruleset = await readRuleset(octokit, { ...at, ruleset_id: id });
    const told = asApp === null ? null : await readRuleset(asApp, { ...at, ruleset_id: id });
    const actors = ruleset?.bypass_actors?.map(
      ({ actor_type: type, actor_id = null, bypass_mode: mode }) => ({
        ...{ type, id: actor_id, mode },
      }),
    );
    found.push({
      ...{ name: ruleset?.name ?? told?.name ?? `#${id}`, rules, actors: actors ?? null },
      asApp: told?.current_user_can_bypass ?? null,
    });
  }
  return found;
}

/** Null for what this token may not see: an organisation's ruleset, for instance. */
async function readRuleset(
  octokit: Octokit,
  asked: { readonly owner: string; readonly repo: string; readonly ruleset_id: number },
): Promise<z.infer<typeof Ruleset> | null> {
  try {
    return Ruleset.parse((await octokit.rest.repos.getRepoRuleset({ ...asked })).data);
  } catch (error) {
    if (statusOf(error) === 403 || statusOf(error) === 404) return null;
    throw error;
  }
}
