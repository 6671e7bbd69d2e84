import type { Octokit } from "../../adapters/github/app-client.js";
import { GithubBaseConditions } from "../../adapters/github/pulls/github-base-conditions.js";
import { readBypass } from "../../adapters/github/pulls/read-bypass.js";
import { readOwnRole } from "../../adapters/github/read-own-role.js";
import { statusOf } from "../../adapters/github/request-error.js";
import type { Diagnosis } from "../../core/doctor/diagnosis.js";
import { type AppFacts, examineApp } from "../../core/doctor/examine-app.js";
import { type BypassFacts, bypassedByApp, examineBypass } from "../../core/doctor/examine-bypass.js";
import { answeringApp } from "../../core/doctor/examine-events.js";
import { examineGate } from "../../core/doctor/examine-gate.js";
import { examineRules } from "../../core/doctor/examine-rules.js";
import { ruleDemands } from "../../core/land/pull/base-rules.js";
import { UserError } from "../../lib/user-error.js";
import { operatorGithub } from "../../wiring/operator-github.js";
import type { WiredProject } from "../../wiring/wire-project.js";
import { type ObservedApp, observeApp } from "./observe-app.js";
import { observeFleet } from "./observe-fleet.js";

/** Roles that may push. */
const WRITES: ReadonlySet<string> = new Set(["admin", "maintain", "push"]);

/** What GitHub shows of the project's repository to the operator's own token. */
export async function observeGithub(project: WiredProject, signs: boolean): Promise<readonly Diagnosis[]> {
  const { config } = project;
  const needed = config.merge_policy === "pr" || config.work_source === "github";
  const github = await operatorGithub(project);
  if (github.kind === "no_token") return [{ code: "no_token", host: github.host, needed }];
  if (github.kind !== "github") return [{ code: "no_github", why: github }];
  const { client, repository } = github;
  try {
    const { defaultBranch, role, ...place } = await readOwnRole(client, repository);
    const branch = config.default_branch ?? defaultBranch;
    const writes = role !== null && WRITES.has(role);
    const app = await observeApp(github, config.jobs);
    const rules = await observeRules(client, { repository, branch, signs, app });
    const { checked } = rules;
    return [
      writes ? { code: "token_writes", repository, role } : { code: "token_only_reads", repository, needed },
      ...(app === null ? [] : examineApp(app.facts, app.named)),
      ...rules.found,
      ...examineGate(config, { branch, checked, appLands: app?.facts.kind === "seen" }),
      ...(await observeFleet(
        client,
        { repository, branch, checked, answering: answeringApp(app?.facts ?? null), ...place },
        config,
      )),
    ];
  } catch (error) {
    if (error instanceof UserError && statusOf(error.cause) === 401)
      return [{ code: "token_unknown", why: error.message }];
    const why = silence(error);
    if (why === null) throw error;
    return [{ code: "github_silent", why }];
  }
}

/** What is GitHub's fault, or the network's; null for a fault of koryph's own. */
function silence(error: unknown): string | null {
  if (error instanceof UserError) return error.message;
  const status = statusOf(error);
  if (status === null || !(error instanceof Error)) return null;
  return `${status}: ${error.message}`;
}

async function observeRules(
  client: Octokit,
  {
    repository,
    branch,
    signs,
    app,
  }: {
    readonly repository: string;
    readonly branch: string;
    readonly signs: boolean;
    readonly app: ObservedApp | null;
  },
): Promise<{ readonly found: readonly Diagnosis[]; readonly checked: boolean }> {
  const conditions = new GithubBaseConditions(async () => client, repository, "all");
  const rules = await conditions.rules(branch);
  if (rules.kind !== "read") {
    const facts = { branch, rules, seen: [], signs, passedByApp: new Set<string>() };
    return { found: examineRules(facts), checked: false };
  }
  const names = ruleDemands(rules.rules).checks.map(({ name }) => name);
  const seen = names.length === 0 ? [] : await conditions.checks(branch, names);
  const bypass: BypassFacts = {
    rulesets: await readBypass(client, { repository, branch, asApp: app?.asApp ?? null }),
    app: app === null ? null : landerOf(app.facts),
  };
  const facts = { branch, rules, seen, signs, passedByApp: bypassedByApp(bypass) };
  return { found: [...examineRules(facts), ...examineBypass(bypass)], checked: names.length > 0 };
}

function landerOf(facts: AppFacts): BypassFacts["app"] {
  return { slug: facts.slug, id: facts.kind === "seen" ? facts.id : null };
}
