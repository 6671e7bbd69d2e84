import { createHash } from "node:crypto";
import { GithubPulls } from "../../../adapters/github/github-pulls.js";
import { GithubEvidence } from "../../../adapters/github/pulls/github-evidence.js";
import { GithubPullRecord } from "../../../adapters/github/pulls/github-pull-record.js";
import { GithubCheckRuns } from "../../../adapters/github/reviews/github-check-runs.js";
import { GithubReviews } from "../../../adapters/github/reviews/github-reviews.js";
import { PullAnalysisFiles } from "../../../adapters/home/pull-analysis-files.js";
import { openRuntime } from "../../../adapters/runtimes/open-runtime.js";
import { openWorkSource } from "../../../adapters/work/open-work-source.js";
import { hex } from "../../../comments/signed-event.js";
import type { Digest } from "../../../core/review/pull/finding-identity.js";
import type { CheckRuns } from "../../../ports/check-runs.js";
import type { PullAnalyses } from "../../../ports/pull-analyses.js";
import type { Pulls } from "../../../ports/pulls.js";
import type { Reviews } from "../../../ports/reviews.js";
import { type RecordedReview, recordReview } from "../../../pulls/approvals/record-review.js";
import type { ReviewPullParts } from "../../../pulls/review/review-pull.js";
import { requireGithub } from "../../../wiring/operator-github.js";
import { openClones } from "../../../wiring/start-engine.js";
import { AGENT } from "../../../wiring/wire-landing.js";
import type { WiredProject } from "../../../wiring/wire-project.js";
import {
  type ReviewDuring,
  type ReviewHost,
  reviewDigest,
  wireReviewer,
  withPullLocked,
} from "../../../wiring/wire-reviewer.js";
import { ALIVE_SECONDS } from "../stay-alive.js";

/** What analysing pull requests works with on this machine. */
export interface WiredReview {
  /** `owner/name`. */
  readonly repository: string;
  readonly pulls: Pulls;
  readonly reviews: Reviews;
  readonly checks: CheckRuns;
  readonly analyses: PullAnalyses;
  /** What becomes of a review of the operator's own in the ledger. */
  readonly recordReview: (review: Parameters<typeof recordReview>[1]) => Promise<RecordedReview>;
  readonly digest: Digest;
  readonly parts: (during: Omit<ReviewDuring, "leaseSeconds">) => ReviewPullParts;
  /** One koryph at a time is at a pull request. */
  readonly locked: <T>(pull: number, work: () => Promise<T>) => Promise<T>;
}

export async function wireReview(project: WiredProject): Promise<WiredReview> {
  const { config, home, ledger } = project;
  const { repository, client } = await requireGithub(project);
  const octokit = async () => client;
  const pulls = new GithubPulls(octokit, repository);
  const analyses = new PullAnalysisFiles(home.pullsFolder(config.project_id));
  const host = (): ReviewHost => ({
    ...{ config, home, ledger, pulls, analyses, identity: AGENT },
    clones: openClones(project),
    usualContainment: "preferred",
    now: () => new Date(),
    runtime: () => openRuntime(config.default_runtime, project),
    beadOf: (pull) => beadOf(project, pull),
  });
  return {
    ...{ repository, pulls, analyses, digest: reviewDigest },
    reviews: new GithubReviews(octokit, repository),
    checks: new GithubCheckRuns(octokit, repository),
    recordReview: (review) =>
      recordReview(
        {
          ...{ ledger, pulls, hex, repository, digest: (text) => createHash("sha256").update(text).digest() },
          record: new GithubPullRecord(octokit, repository),
          threads: new GithubEvidence(client, repository),
        },
        review,
      ),
    parts: (during) => wireReviewer(host(), { ...during, leaseSeconds: ALIVE_SECONDS }),
    locked: (pull, work) => withPullLocked(project, pull, work),
  };
}

/** Pull requests of koryph's own have a bead, and with it criteria. */
async function beadOf(project: WiredProject, pull: number) {
  const { state } = await project.ledger.refresh();
  const slot = Object.values(state.slots).find((each) => each.pull?.number === pull);
  return slot === undefined ? null : openWorkSource(project).get(slot.bead);
}
