import { createHash, randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { PullCheckouts } from "../../../adapters/git/pulls/pull-checkouts.js";
import { GithubPulls } from "../../../adapters/github/github-pulls.js";
import { GithubCheckRuns } from "../../../adapters/github/reviews/github-check-runs.js";
import { GithubReviews } from "../../../adapters/github/reviews/github-reviews.js";
import { takeLocalLock } from "../../../adapters/home/local-lock.js";
import { PullAnalysisFiles } from "../../../adapters/home/pull-analysis-files.js";
import { RunFolders } from "../../../adapters/home/run-folders.js";
import { StoredFiles } from "../../../adapters/home/stored-files.js";
import { DetachedProcesses } from "../../../adapters/process/detached-processes.js";
import { openRuntime } from "../../../adapters/runtimes/open-runtime.js";
import { openWorkSource } from "../../../adapters/work/open-work-source.js";
import { pullAdvice } from "../../../core/replies/review/pull-words.js";
import type { Digest } from "../../../core/review/pull/finding-identity.js";
import { resolveModel } from "../../../core/route/resolve-model.js";
import { takesModel } from "../../../core/route/resolve-runtime.js";
import { resolveTimeout } from "../../../core/route/stage-timeout.js";
import { UserError } from "../../../lib/user-error.js";
import type { CheckRuns } from "../../../ports/check-runs.js";
import type { PullAnalyses } from "../../../ports/pull-analyses.js";
import type { BroughtPull } from "../../../ports/pull-source.js";
import type { PullFacts, Pulls } from "../../../ports/pulls.js";
import type { Reviews } from "../../../ports/reviews.js";
import type { ReviewPullParts } from "../../../pulls/review-pull.js";
import { runReviewer } from "../../../pulls/run-reviewer.js";
import { agentNotes } from "../agent-notes.js";
import { readPersonas } from "../read-personas.js";
import { openClones } from "../start-engine.js";
import { ALIVE_SECONDS } from "../stay-alive.js";
import { AGENT } from "../wire-landing.js";
import type { WiredProject } from "../wire-project.js";
import { operatorGithub } from "./operator-github.js";

/** What analysing pull requests works with on this machine. */
export interface WiredReview {
  /** `owner/name`. */
  readonly repository: string;
  readonly pulls: Pulls;
  readonly reviews: Reviews;
  readonly checks: CheckRuns;
  readonly analyses: PullAnalyses;
  readonly digest: Digest;
  readonly parts: (during: During) => ReviewPullParts;
  /** One koryph at a time is at a pull request. */
  readonly locked: <T>(pull: number, work: () => Promise<T>) => Promise<T>;
}

interface During {
  readonly livenessFile: string;
  readonly abort: AbortSignal;
  readonly report: (pull: PullFacts) => void;
}

const DIGEST_CHARACTERS = 16;

export async function wireReview(project: WiredProject): Promise<WiredReview> {
  const { config, home, projectHome, ledger } = project;
  const github = await operatorGithub(project);
  if (github.kind === "no_token") throw UserError.of(pullAdvice.noToken(github.host));
  if (github.kind !== "github") throw UserError.of(pullAdvice.noGithub(github));
  const { repository, client } = github;
  const octokit = async () => client;
  const pulls = new GithubPulls(octokit, repository);
  const folder = home.pullsFolder(config.project_id);
  const analyses = new PullAnalysisFiles(folder);
  return {
    ...{ repository, pulls, analyses },
    reviews: new GithubReviews(octokit, repository),
    checks: new GithubCheckRuns(octokit, repository),
    digest: (text) => createHash("sha256").update(text).digest("hex").slice(0, DIGEST_CHARACTERS),
    parts: (during) => ({
      ...{ pulls, analyses, ledger, now: () => new Date(), report: during.report },
      source: new PullCheckouts({ clones: openClones(project), projectHome, identity: AGENT }),
      beadOf: (pull) => beadOf(project, pull),
      project: (brought) => promptProject(project, brought),
      review: reviewerOf(project, during),
    }),
    locked: async (pull, work) => {
      const attempt = await takeLocalLock(join(folder, `${pull}.lock`));
      if (attempt.kind === "held") throw UserError.of(pullAdvice.busy(pull, attempt.by.pid));
      try {
        return await work();
      } finally {
        await attempt.lock.release();
      }
    },
  };
}

/** Pull requests of koryph's own have a bead, and with it criteria. */
async function beadOf(project: WiredProject, pull: number) {
  const { state } = await project.ledger.refresh();
  const slot = Object.values(state.slots).find((each) => each.pull?.number === pull);
  return slot === undefined ? null : openWorkSource(project).get(slot.bead);
}

/** The base branch says who reviews and by which notes, never the pull request. */
async function promptProject({ config, home }: WiredProject, { tip, branch }: BroughtPull) {
  const repository = home.repository(config.project_id);
  const personas = await readPersonas(repository, { base: tip, defaultBranch: branch }, config);
  const persona = personas.get("review");
  const prompt = {
    ...{ id: config.project_id, gate: config.gate, protectedPaths: config.protected_paths },
    ...{ commitStyle: config.commit_style, agentNotes: await agentNotes(repository, tip) },
  };
  return { prompt, ...(persona && { persona }) };
}

function reviewerOf(project: WiredProject, { livenessFile, abort }: During): ReviewPullParts["review"] {
  const { config, home } = project;
  return async ({ pull, cwd, prompt, persona }) => {
    const runtime = openRuntime(config.default_runtime, project);
    const processes = new DetachedProcesses();
    const folders = new RunFolders(home, config.project_id);
    const stored = new StoredFiles(home, config.project_id);
    const run = `review-${randomUUID()}`;
    const effort = persona?.effort ?? null;
    const task = {
      ...{ place: { run, bead: `pull-${pull}`, attempt: 1 }, cwd, prompt, model: modelOf(project) },
      wallSeconds: resolveTimeout({ labels: [], project: config.review.timeout_seconds }).seconds,
      ...(effort === null ? {} : { effort }),
    };
    const parts = {
      ...{ processes, folders, runtime, livenessFile, leaseSeconds: ALIVE_SECONDS, newSession: randomUUID },
      pause: (ms: number) => pause(ms, undefined, { ref: false }),
    };
    try {
      return await runReviewer(parts, task, abort);
    } finally {
      await stored.removeRun(run);
    }
  };
}

function modelOf({ config }: WiredProject): string {
  const choice = resolveModel({
    ...{ stage: "review", modelMap: config.model_map, allowed: config.allowed_models },
    onlyNamed: !takesModel(config.default_runtime),
  });
  if (choice.kind === "refused") throw UserError.of(pullAdvice.noModel(choice.reason));
  return choice.model;
}
