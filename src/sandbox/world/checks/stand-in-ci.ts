import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { sandboxGitEnvironment, tryGit } from "../../git/world-git.js";
import type { PullIssue } from "../../render/pull.js";
import { fullName } from "../../render/repository.js";
import { ACTIONS_BOT } from "../actions-app-id.js";
import { isPull } from "../pulls/world-pulls.js";
import type { Repository } from "../state.js";
import type { NewsItem, World } from "../world.js";
import { completeWorkflowRun, startWorkflowRun } from "./workflow-run.js";

/** A workflow of one job that GitHub would run on every head of a pull request. */
export interface CiWorkflow {
  /** Its name below `.github/workflows`; heads without that file get no run. */
  readonly file: string;
  readonly job: string;
  /** The job is green when it ends with 0 in a checkout of the head. */
  readonly command: readonly [string, ...string[]];
}

const NEW_HEAD = ["opened", "reopened", "synchronize"];
const SECONDS = 60;

/** Stands in for Actions: on each head of a pull request it has the workflow's run, its job and its end. */
export class StandInCi {
  readonly #world: World;
  readonly #folder: string;
  readonly #workflows = new Map<string, CiWorkflow>();
  readonly #stopped = new AbortController();
  #queue: Promise<void> = Promise.resolve();

  /** Checkouts lie in the folder for as long as their job runs. */
  constructor(world: World, folder: string) {
    this.#world = world;
    this.#folder = folder;
  }

  /** From now on, and on the heads that are there; what an earlier process left in progress is ended. */
  add(repository: Repository, workflow: CiWorkflow): void {
    if (this.#workflows.size === 0) this.#world.heed((news) => this.#hear(news));
    this.#workflows.set(fullName(repository), workflow);
    for (const issue of repository.issues.filter(isPull))
      if (issue.state === "open") this.#enqueue(repository, issue, issue.author);
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#queue;
  }

  /** What `GITHUB_TOKEN` does starts no workflow, as on GitHub. */
  #hear({ event, action, repository, sender, payload }: NewsItem): void {
    if (event !== "pull_request" || repository === null || !NEW_HEAD.includes(action ?? "")) return;
    if (sender === ACTIONS_BOT) return;
    const issue = repository.issues.find(({ number }) => number === payload.number);
    if (issue !== undefined && isPull(issue)) this.#enqueue(repository, issue, sender);
  }

  #enqueue(repository: Repository, issue: PullIssue, actor: string): void {
    const workflow = this.#workflows.get(fullName(repository));
    if (workflow === undefined) return;
    const { headSha, headRef } = issue.pull;
    this.#queue = this.#queue.then(() =>
      this.#run(repository, workflow, { headSha, headBranch: headRef, actor }).catch((error: Error) => {
        if (!this.#stopped.signal.aborted) this.#world.problems.push(`${workflow.file}: ${error.message}`);
      }),
    );
  }

  async #run(
    repository: Repository,
    { file, job, command }: CiWorkflow,
    on: { readonly headSha: string; readonly headBranch: string; readonly actor: string },
  ): Promise<void> {
    const path = `.github/workflows/${file}`;
    const before = repository.workflowRuns.find((run) => run.path === path && run.headSha === on.headSha);
    if (before?.status === "completed" || this.#stopped.signal.aborted) return;
    const there = await tryGit(repository.gitDir, ["cat-file", "-e", `${on.headSha}:${path}`]);
    if (there.code !== 0) return;
    const wanted = { path, event: "pull_request", ...on, inputs: {}, jobs: [job] };
    const run = before ?? (await startWorkflowRun(this.#world, repository, wanted));
    const green = await this.#isGreen(repository, on.headSha, command);
    if (this.#stopped.signal.aborted) return;
    await completeWorkflowRun(this.#world, repository, {
      run,
      jobs: {},
      rest: green ? "success" : "failure",
    });
  }

  async #isGreen(repository: Repository, sha: string, command: CiWorkflow["command"]): Promise<boolean> {
    const folder = await mkdtemp(join(this.#folder, "job-"));
    try {
      const checkout = [`--work-tree=${folder}`, "checkout", "--quiet", sha, "--", "."];
      const env = { GIT_INDEX_FILE: join(folder, ".git-index") };
      const { code, stderr } = await tryGit(repository.gitDir, checkout, { env });
      if (code !== 0) throw new Error(stderr);
      return (await endOf(command, folder, this.#stopped.signal)) === 0;
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

/** The exit code; null for a program that was ended, is not there, or took a minute. */
function endOf(
  [program, ...args]: CiWorkflow["command"],
  cwd: string,
  stopped: AbortSignal,
): Promise<number | null> {
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(SECONDS * 1_000)]);
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      ...{ cwd, signal, stdio: "ignore", killSignal: "SIGKILL" },
      env: { ...sandboxGitEnvironment(), CI: "true" },
    });
    child.once("error", () => resolve(null));
    child.once("close", resolve);
  });
}
