import { createHash, randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { PullCheckouts, type PullCheckoutsFacts } from "../adapters/git/pulls/pull-checkouts.js";
import type { KoryphHome } from "../adapters/home/koryph-home.js";
import { takeLocalLock } from "../adapters/home/local-lock.js";
import { RunFolders } from "../adapters/home/run-folders.js";
import { StoredFiles } from "../adapters/home/stored-files.js";
import { agentNotes } from "../adapters/project/agent-notes.js";
import { readPersonas } from "../adapters/project/read-personas.js";
import type { ProjectConfig } from "../core/config/project-schema.js";
import type { ContainmentLevel } from "../core/contain/containment.js";
import { pullAdvice } from "../core/replies/review/pull-words.js";
import type { Digest } from "../core/review/pull/finding-identity.js";
import { resolveModel } from "../core/route/resolve-model.js";
import { takesModel } from "../core/route/resolve-runtime.js";
import { resolveTimeout } from "../core/route/stage-timeout.js";
import { UserError } from "../lib/user-error.js";
import type { AgentRuntime } from "../ports/agent-runtime.js";
import type { BroughtPull } from "../ports/pull-source.js";
import type { PullFacts } from "../ports/pulls.js";
import type { ReviewPullParts } from "../pulls/review/review-pull.js";
import { runReviewer } from "../pulls/review/run-reviewer.js";
import { openContainment } from "./open-containment.js";

/** Where a reviewer of pull requests works, and what on. */
export interface ReviewHost
  extends Pick<ReviewPullParts, "pulls" | "analyses" | "ledger" | "beadOf" | "now"> {
  readonly config: ProjectConfig;
  /** What belongs to the project here lies below it. */
  readonly home: KoryphHome;
  readonly clones: PullCheckoutsFacts["clones"];
  readonly identity: PullCheckoutsFacts["identity"];
  /** How much the reviewer is to be shut in where the project file does not say. */
  readonly usualContainment: ContainmentLevel;
  /** Throws a `UserError` where the reviewer's program is not to be had. */
  readonly runtime: () => AgentRuntime;
}

export interface ReviewDuring {
  /** Touched while we live; the reviewer ends itself once it is older than this. */
  readonly livenessFile: string;
  readonly leaseSeconds: number;
  readonly abort: AbortSignal;
  readonly report: (pull: PullFacts) => void;
}

const DIGEST_CHARACTERS = 16;

/** Names findings and reviews. */
export const reviewDigest: Digest = (text) =>
  createHash("sha256").update(text).digest("hex").slice(0, DIGEST_CHARACTERS);

/** The flow that analyses pull requests, wired to this machine. */
export function wireReviewer(host: ReviewHost, during: ReviewDuring): ReviewPullParts {
  const { config, home, pulls, analyses, ledger, beadOf, now, clones, identity } = host;
  return {
    ...{ pulls, analyses, ledger, beadOf, now, report: during.report },
    source: new PullCheckouts({ clones, projectHome: home.projectHome(config.project_id), identity }),
    project: (brought) => promptProject(host, brought),
    review: reviewerOf(host, during),
  };
}

/** One koryph at a time is at a pull request. Throws a `UserError` while another one is. */
export async function withPullLocked<T>(
  { home, config }: Pick<ReviewHost, "home" | "config">,
  pull: number,
  work: () => Promise<T>,
): Promise<T> {
  const attempt = await takeLocalLock(join(home.pullsFolder(config.project_id), `${pull}.lock`));
  if (attempt.kind === "held") throw UserError.of(pullAdvice.busy(pull, attempt.by.pid));
  try {
    return await work();
  } finally {
    await attempt.lock.release();
  }
}

/** The base branch says who reviews and by which notes, never the pull request. */
async function promptProject({ config, home }: ReviewHost, { tip, branch }: BroughtPull) {
  const repository = home.repository(config.project_id);
  const personas = await readPersonas(repository, { base: tip, defaultBranch: branch }, config);
  const persona = personas.get("review");
  const prompt = {
    ...{ id: config.project_id, gate: config.gate, protectedPaths: config.protected_paths },
    ...{ commitStyle: config.commit_style, agentNotes: await agentNotes(repository, tip) },
  };
  return { prompt, ...(persona && { persona }) };
}

function reviewerOf(host: ReviewHost, during: ReviewDuring): ReviewPullParts["review"] {
  const { config, home } = host;
  return async ({ pull, cwd, prompt, persona }) => {
    const { processes } = await openContainment(config, host.usualContainment, [home.path]);
    const runtime = host.runtime();
    const folders = new RunFolders(home, config.project_id);
    const stored = new StoredFiles(home, config.project_id);
    const run = `review-${randomUUID()}`;
    const effort = persona?.effort ?? null;
    const task = {
      ...{ place: { run, bead: `pull-${pull}`, attempt: 1 }, cwd, prompt, model: modelOf(config, runtime) },
      wallSeconds: resolveTimeout({ labels: [], project: config.review.timeout_seconds }).seconds,
      ...(effort === null ? {} : { effort }),
    };
    const parts = {
      ...{ processes, folders, runtime, newSession: randomUUID },
      ...{ livenessFile: during.livenessFile, leaseSeconds: during.leaseSeconds },
      objects: join(home.repository(config.project_id), "objects"),
      pause: (ms: number) => pause(ms, undefined, { ref: false }),
    };
    try {
      return await runReviewer(parts, task, during.abort);
    } finally {
      await stored.removeRun(run);
    }
  };
}

function modelOf(config: ProjectConfig, { name }: AgentRuntime): string {
  const choice = resolveModel({
    ...{ stage: "review", modelMap: config.model_map, allowed: config.allowed_models },
    onlyNamed: !takesModel(name),
  });
  if (choice.kind === "refused") throw UserError.of(pullAdvice.noModel(choice.reason));
  return choice.model;
}
