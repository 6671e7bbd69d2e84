import type { KeptClones } from "../../adapters/git/pulls/kept-clones.js";
import type { GithubApp } from "../../adapters/github/app-client.js";
import { GithubPulls } from "../../adapters/github/github-pulls.js";
import type { GithubThreads } from "../../adapters/github/github-threads.js";
import { GithubPullRecord } from "../../adapters/github/pulls/github-pull-record.js";
import { GithubReviews } from "../../adapters/github/reviews/github-reviews.js";
import type { OpenedProject } from "../../comments/command-parts.js";
import { type CommentJob, commentKey, commentRef } from "../../core/model/comment-job.js";
import type { LineRemark } from "../../core/review/pull/review-request.js";
import { type PostedRemarks, postRemarks } from "../../pulls/review/post-remarks.js";
import { reviewDigest } from "../../wiring/wire-reviewer.js";
import type { Reach } from "../comments/handle-comment.js";
import type { SweepPlace } from "../recovery/sweep-comments.js";
import type { Repositories } from "../serve/open-repository.js";

/** A repository that the App is installed on, as deliveries and jobs name it. */
export interface InstalledPlace {
  readonly installation: number;
  readonly repository: { readonly fullName: string; readonly id: number };
}

/** What is asked about pull requests of one repository. */
export interface PullPlace {
  readonly threads: GithubThreads;
  readonly pulls: GithubPulls;
  readonly record: GithubPullRecord;
  readonly opened: OpenedProject;
}

interface AskedRemark {
  readonly pull: number;
  readonly head: string;
  readonly remark: LineRemark;
}

/** Opens repositories for what is done about their pull requests. */
export class PullPlaces {
  readonly #parts: {
    readonly app: GithubApp;
    readonly threadsAt: (place: SweepPlace) => Promise<GithubThreads>;
    readonly repositories: Repositories;
    readonly reach: Reach;
    readonly clones: Pick<KeptClones, "use">;
  };

  constructor(parts: {
    readonly app: GithubApp;
    readonly threadsAt: (place: SweepPlace) => Promise<GithubThreads>;
    readonly repositories: Repositories;
    readonly reach: Reach;
    readonly clones: Pick<KeptClones, "use">;
  }) {
    this.#parts = parts;
  }

  pulls({ installation, repository }: InstalledPlace): GithubPulls {
    return new GithubPulls(() => this.#parts.app.asInstallation(installation), repository.fullName);
  }

  record({ installation, repository }: InstalledPlace): GithubPullRecord {
    return new GithubPullRecord(() => this.#parts.app.asInstallation(installation), repository.fullName);
  }

  /** A remark of a person's own, as a review by the App. GitHub knows which lines the change shows. */
  async postRemark(job: CommentJob, { pull, head, remark }: AskedRemark): Promise<PostedRemarks> {
    const { installation, repository } = job;
    const octokit = () => this.#parts.app.asInstallation(installation);
    const once = commentKey(commentRef(job));
    return postRemarks(new GithubReviews(octokit, repository.fullName), {
      ...{ pull, head, remarks: [remark], changed: null, digest: reviewDigest, once },
    });
  }

  /** For what needs neither project nor ledger. */
  async whereInstalled(place: InstalledPlace, act: (pulls: GithubPulls) => Promise<void>): Promise<void> {
    const at = { installation: place.installation, repository: place.repository.fullName };
    await this.#parts.reach.whereInstalledAt(at, () => act(this.pulls(place)));
  }

  /** Where the App was taken off since, nothing is done. */
  async where(place: InstalledPlace, act: (found: PullPlace) => Promise<void>): Promise<void> {
    const { threadsAt, repositories, reach, clones } = this.#parts;
    const { installation, repository } = place;
    const at = { installation, repository: repository.fullName };
    await reach.whereInstalledAt(at, async () => {
      const threads = await threadsAt(at);
      const opened = await repositories.open({ installation, ...repository }, threads);
      const found = { threads, opened, pulls: this.pulls(place), record: this.record(place) };
      await clones.use(`${repository.id}`, () => act(found));
    });
  }
}
