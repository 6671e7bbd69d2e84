import type { Octokit } from "../../adapters/github/app-client.js";
import { GithubBaseConditions } from "../../adapters/github/pulls/github-base-conditions.js";
import { readOwnRole } from "../../adapters/github/read-own-role.js";
import { readRepositoryFile } from "../../adapters/github/read-repository-file.js";
import { statusOf } from "../../adapters/github/request-error.js";
import type { Diagnosis } from "../../core/doctor/diagnosis.js";
import { examineRules } from "../../core/doctor/examine-rules.js";
import { examineWorkflow } from "../../core/doctor/examine-workflow.js";
import { ruleDemands } from "../../core/land/pull/base-rules.js";
import { UserError } from "../../lib/user-error.js";
import { operatorGithub } from "../../wiring/operator-github.js";
import type { WiredProject } from "../../wiring/wire-project.js";

/** Roles that may push. */
const WRITES: ReadonlySet<string> = new Set(["admin", "maintain", "push"]);

/** What GitHub shows of the project's repository to the operator's own token. */
export async function observeGithub(project: WiredProject, signs: boolean): Promise<readonly Diagnosis[]> {
  const { config } = project;
  const needed = config.merge_policy === "pr" || config.work_source === "github";
  const github = await operatorGithub(project);
  if (github.kind === "no_token") return [{ code: "no_token", host: github.host, needed }];
  if (github.kind !== "github") return [{ code: "no_github" }];
  const { client, repository } = github;
  try {
    const { defaultBranch, role } = await readOwnRole(client, repository);
    const branch = config.default_branch ?? defaultBranch;
    const writes = role !== null && WRITES.has(role);
    return [
      writes ? { code: "token_writes", repository, role } : { code: "token_only_reads", repository, needed },
      ...(await observeRules(client, repository, { branch, signs })),
      ...(await observeWorkflow(client, repository, { branch, jobs: config.jobs })),
    ];
  } catch (error) {
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
  repository: string,
  { branch, signs }: { readonly branch: string; readonly signs: boolean },
): Promise<readonly Diagnosis[]> {
  const conditions = new GithubBaseConditions(async () => client, repository, "all");
  const rules = await conditions.rules(branch);
  const names = rules.kind === "read" ? ruleDemands(rules.rules).checks.map(({ name }) => name) : [];
  const seen = names.length === 0 ? [] : await conditions.checks(branch, names);
  return examineRules({ branch, rules, seen, signs });
}

async function observeWorkflow(
  client: Octokit,
  repository: string,
  { branch, jobs }: { readonly branch: string; readonly jobs: WiredProject["config"]["jobs"] },
): Promise<readonly Diagnosis[]> {
  const { workflow: file, kinds } = jobs;
  if (file === undefined) return [];
  const text = await readRepositoryFile(client, repository, `.github/workflows/${file}`, branch);
  return examineWorkflow({ file, branch, text, kinds });
}
