import { createHash } from "node:crypto";
import { GitPullRepo } from "../../adapters/git/pulls/git-pull-repo.js";
import { GitReceipts } from "../../adapters/git/receipts/git-receipts.js";
import type { GitCredentials } from "../../adapters/github/git-credentials.js";
import { GithubBaseConditions } from "../../adapters/github/pulls/github-base-conditions.js";
import { type KoryphHome, makeFolder } from "../../adapters/home/koryph-home.js";
import type { UsableProject } from "../../comments/command-parts.js";
import type { Signer } from "../../ports/signer.js";
import type { LandPullParts } from "../../pulls/gather-land-facts.js";
import { runnerGate } from "../../pulls/jobs/runner-gate.js";
import type { SurveyParts, SurveySettings } from "../../pulls/survey-pull.js";
import { type RunnerParts, runnerJobsOn } from "../runners/runner-jobs-on.js";
import type { Requester } from "./land-jobs.js";
import type { InstalledPlace, PullPlace } from "./pull-places.js";

/** What the App lands with, and looks with at what could land. */
export interface LandingTools extends RunnerParts {
  readonly credentials: Pick<GitCredentials, "env">;
  readonly home: KoryphHome;
  readonly botLogin: () => Promise<string>;
  /** The App's own key; never one that a repository names. */
  readonly signer: Signer | null;
  /** What it pushes starts no checks, and it cannot stand above rules: a workflow run's own token. */
  readonly pushesSilently: boolean;
  /** Of this koryph. */
  readonly version: string;
}

/** A place whose project can be used. */
export type UsablePlace = PullPlace & { readonly opened: UsableProject };

export interface OpenedLanding {
  readonly parts: LandPullParts & SurveyParts;
  /** `requester` is whoever asked for the landing; null when nobody has. */
  readonly settings: (requester: Requester | null) => SurveySettings;
}

export async function openLanding(
  tools: LandingTools,
  at: InstalledPlace,
  { opened, pulls, record, threads }: UsablePlace,
): Promise<OpenedLanding> {
  const { app, signer, now } = tools;
  const { fullName } = at.repository;
  const { config, ledger } = opened;
  const opening = {
    ...{ ledger, pulls, record, threads, now },
    conditions: new GithubBaseConditions(() => app.asInstallation(at.installation), fullName),
    ...(await openPullRepo(tools, at, config.project_id)),
    runner: runnerJobsOn(tools, at, config),
    digest: (text: string) => createHash("sha256").update(text).digest("hex"),
  };
  const gate = opening.runner?.kinds.has("gate")
    ? runnerGate(opening, [...config.bootstrap, ...config.gate])
    : undefined;
  return {
    parts: { ...opening, gate },
    settings: (requester) => ({
      ...{ repository: fullName, config, mayPushWorkflows: false, requester },
      pushesSilently: tools.pushesSilently,
      evidence: requester?.evidence ?? null,
      publicKey: signer?.publicKey ?? null,
    }),
  };
}

async function openPullRepo(
  { app, credentials, home, botLogin, signer, version, now }: LandingTools,
  { installation, repository }: InstalledPlace,
  project: string,
): Promise<{ readonly repo: GitPullRepo; readonly receipts: GitReceipts }> {
  const { gitDir, scratch } = home.appRepository(repository.id);
  await makeFolder(scratch);
  const login = await botLogin();
  const url = `${app.serverUrl}/${repository.fullName}.git`;
  const env = () => credentials.env(installation, repository.fullName);
  const identity = { name: login, email: `${login}@users.noreply.github.com` };
  return {
    repo: new GitPullRepo({ gitDir, scratch, signer, url, env, identity }),
    receipts: new GitReceipts({
      repo: gitDir,
      reach: async () => ({ url, pushUrl: url, env: await env() }),
      where: { project, repository: url, koryph: version },
      ...{ signer, now },
    }),
  };
}
