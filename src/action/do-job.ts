import { createHash } from "node:crypto";
import { join } from "node:path";
import { GitLedger } from "../adapters/git/ledger/git-ledger.js";
import { GitPullRepo } from "../adapters/git/pulls/git-pull-repo.js";
import { gateDigest } from "../adapters/git/receipts/gate-digest.js";
import { askRole } from "../adapters/github/ask-role.js";
import { GithubPulls } from "../adapters/github/github-pulls.js";
import { GithubPullRecord } from "../adapters/github/pulls/github-pull-record.js";
import { repositoryAt } from "../adapters/github/repository-at.js";
import { gitTokenEnv } from "../adapters/github/runners/git-token-env.js";
import { GithubWorkflows } from "../adapters/github/runners/github-workflows.js";
import { tokenClient } from "../adapters/github/token-client.js";
import { readWriting } from "../adapters/github/writing.js";
import { type KoryphHome, makeFolder, openHome } from "../adapters/home/koryph-home.js";
import type { Project } from "../adapters/project/open-project.js";
import type { ActionInputs } from "../core/config/action-inputs.js";
import type { JobInputs } from "../core/jobs/decide-job.js";
import type { JobKind } from "../core/model/job-kind.js";
import { actionAdvice } from "../core/replies/surfaces/action.js";
import { jobAdvice } from "../core/replies/surfaces/job-words.js";
import { UserError } from "../lib/user-error.js";
import type { Signer } from "../ports/signer.js";
import { type TakenJob, takeJob } from "../pulls/jobs/take-job.js";
import { runnerFacts } from "./runner-facts.js";

/** What every job on a runner works with. */
export interface RunnerTools {
  readonly project: Project;
  readonly home: KoryphHome;
  readonly repository: string;
  /** The run that this process is part of. */
  readonly runId: number;
  readonly octokit: () => ReturnType<typeof tokenClient>;
  readonly url: string;
  readonly gitEnv: () => Promise<Readonly<Record<string, string>>>;
  readonly ledger: GitLedger;
  readonly pulls: GithubPulls;
  /** The repository without its files, for what is replayed or only looked at. */
  readonly pullRepo: (signer: Signer | null) => GitPullRepo;
  readonly env: NodeJS.ProcessEnv;
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Does what the App has asked this runner for, if all that must agree does. */
export async function doJob(project: Project, inputs: ActionInputs, env: NodeJS.ProcessEnv): Promise<void> {
  const { token, asked, key, ...given } = needed(inputs, env);
  if (asked.kind === "rebase" && key === undefined) throw UserError.of(jobAdvice.noKey());
  if (asked.kind !== "rebase" && key !== undefined) throw UserError.of(jobAdvice.keyBeside(asked.kind));
  const tools = await openTools(project, { ...given, token }, env);
  const taken = await take(tools, asked);
  switch (asked.kind) {
    case "review": {
      const { doReview } = await import("./do-review.js");
      return doReview(tools, taken);
    }
    case "rebase": {
      const { doRebase } = await import("./do-rebase.js");
      return doRebase(tools, taken, key ?? "");
    }
    case "gate": {
      const { doGate } = await import("./do-gate.js");
      return doGate(tools, taken);
    }
  }
}

type Given = ReturnType<typeof needed>;

async function openTools(
  project: Project,
  { token, repository, apiUrl, serverUrl, runId }: Omit<Given, "asked" | "key">,
  env: NodeJS.ProcessEnv,
): Promise<RunnerTools> {
  const { config } = project;
  const home = await openHome(env);
  await makeFolder(home.projectHome(config.project_id));
  const client = await tokenClient({ apiUrl, token });
  const octokit = async () => client;
  const url = `${serverUrl}/${repository}.git`;
  const gitEnv = async () => gitTokenEnv(serverUrl, token);
  return {
    ...{ project, home, repository, runId, octokit, url, gitEnv, env },
    pulls: new GithubPulls(octokit, repository),
    ledger: new GitLedger({
      ...{ gitDir: home.ledger(config.project_id), remote: url, env: gitEnv, ref: config.ledger.ref },
      ...{ actor: `run ${runId}`, now: Date.now },
    }),
    pullRepo: (signer) => {
      const folder = join(home.projectHome(config.project_id), "job");
      const [gitDir, scratch] = [join(folder, "repo.git"), join(folder, "scratch")];
      return new GitPullRepo({ gitDir, scratch, url, env: gitEnv, signer, identity: committer(env, config) });
    },
  };
}

/** Who replayed commits are committed by. GitHub calls a signature verified only where the key is this one's. */
function committer(env: NodeJS.ProcessEnv, { jobs }: Project["config"]) {
  const bot = `${jobs.app}[bot]`;
  return {
    name: env.GIT_COMMITTER_NAME || bot,
    email: env.GIT_COMMITTER_EMAIL || `${bot}@users.noreply.github.com`,
  };
}

async function take(tools: RunnerTools, inputs: JobInputs): Promise<TakenJob> {
  const { octokit, repository, ledger, pulls, runId: run } = tools;
  const { config } = tools.project;
  const client = await octokit();
  const at = repositoryAt(repository);
  return takeJob(
    {
      ...{ ledger, pulls, workflows: new GithubWorkflows(octokit, repository), digest: sha256 },
      record: new GithubPullRecord(octokit, repository),
      threads: {
        read: (comment) => readWriting(client, at, comment),
        role: (login) => askRole(client, at, login),
      },
      tips: ({ number, head: { branch, fork }, base }) =>
        tools.pullRepo(null).fetch(base.branch, { number, branch, fork }),
    },
    { inputs, run, repository, config, commands: gateDigest([...config.bootstrap, ...config.gate]) },
  );
}

/** What only the App and the runner can give. */
function needed(inputs: ActionInputs, env: NodeJS.ProcessEnv) {
  const { job, kind, head, base, attempt, token, "signing-key": key } = inputs;
  const { facts, missing: unset } = runnerFacts(env);
  const given = { job, kind, head, base, attempt, token };
  const absent = Object.entries(given).filter(([, value]) => value === undefined);
  const missing = [...absent.map(([name]) => name), ...unset];
  if (missing.length > 0 || !job || !kind || !head || !base || !attempt || !token)
    throw UserError.of(actionAdvice.missing("job", missing));
  const asked: JobInputs & { readonly kind: JobKind } = { job, kind, head, base, attempt };
  return { token, asked, key, ...facts };
}
