import { createHash } from "node:crypto";
import { join } from "node:path";
import { GitPullRepo } from "../../../adapters/git/pulls/git-pull-repo.js";
import { GithubPulls } from "../../../adapters/github/github-pulls.js";
import { GithubBaseConditions } from "../../../adapters/github/pulls/github-base-conditions.js";
import { GithubEvidence } from "../../../adapters/github/pulls/github-evidence.js";
import { GithubPullRecord } from "../../../adapters/github/pulls/github-pull-record.js";
import { GithubReviews } from "../../../adapters/github/reviews/github-reviews.js";
import { makeFolder } from "../../../adapters/home/koryph-home.js";
import type { PullPlaceName } from "../../../core/land/pull/land-target.js";
import { pullLandAdvice } from "../../../core/replies/land/pull/pull-terminal.js";
import { UserError } from "../../../lib/user-error.js";
import type { Pulls } from "../../../ports/pulls.js";
import type { LandPullSettings } from "../../../pulls/gather-land-facts.js";
import type { AskedPullParts } from "../../../pulls/land-asked-pull.js";
import { requireGithub } from "../../../wiring/operator-github.js";
import { AGENT, engineIdentity, type WiredLanding } from "../../../wiring/wire-landing.js";
import type { WiredProject } from "../../../wiring/wire-project.js";

/** What landing pull requests works with on this machine. */
export interface WiredPullLanding {
  readonly pulls: Pulls;
  /** `owner/name`. */
  readonly repository: string;
  readonly parts: Omit<AskedPullParts, "liveness" | "report" | "pause">;
  readonly settings: Omit<LandPullSettings, "config">;
  /** Throws for the address of another repository's pull request. */
  requireOwn(place: PullPlaceName): void;
}

export async function wirePullLanding(
  project: WiredProject,
  landing: WiredLanding,
): Promise<WiredPullLanding> {
  const { home, config, projectHome, remote, ledger } = project;
  const { repository, host, client } = await requireGithub(project);
  const octokit = async () => client;
  const pulls = new GithubPulls(octokit, repository);
  const requester = await new GithubReviews(octokit, repository).viewer();
  const scratch = join(projectHome, "pull-scratch");
  await makeFolder(scratch);
  const repo = new GitPullRepo({
    ...{ gitDir: home.repository(config.project_id), scratch, url: remote.pushUrl },
    ...{ env: async () => remote.env, identity: engineIdentity(config), signer: landing.signer },
    engines: { identity: AGENT },
  });
  return {
    ...{ pulls, repository },
    parts: {
      ...{ ledger, pulls, repo, now: Date.now },
      ...{ receipts: landing.receipts, gate: landing.gate, folders: landing.folders },
      landTurn: landing.landTurn,
      record: new GithubPullRecord(octokit, repository),
      conditions: new GithubBaseConditions(octokit, repository),
      threads: new GithubEvidence(client, repository),
      digest: (text) => createHash("sha256").update(text).digest("hex"),
    },
    settings: {
      ...{ repository, requester, publicKey: landing.signer?.publicKey ?? null },
      // Where the operator's token may not, GitHub refuses the push, and nothing has moved.
      ...{ mayPushWorkflows: true, pushesSilently: false, evidence: null },
    },
    requireOwn: (place) => {
      const own = place.host === host && place.repository.toLowerCase() === repository.toLowerCase();
      if (!own)
        throw UserError.of(
          pullLandAdvice.otherRepository(`${place.host}/${place.repository}`, `${host}/${repository}`),
        );
    },
  };
}
