/** A workflow run, as GitHub shows it. */
export interface RunnerRun {
  readonly id: number;
  readonly url: string;
  readonly event: string;
  /** Who started it first, and who this very attempt of it: logins. */
  readonly actor: string;
  readonly triggeredBy: string;
  /** How often it was started. */
  readonly attempt: number;
  readonly path: string;
  readonly branch: string;
  /** The commit whose workflow it runs. */
  readonly headSha: string;
  readonly status: string;
  readonly conclusion: string | null;
}

/** What a run looks like that the App itself has asked for. */
export interface ExpectedRun {
  /** The App's slug: its login is this with `[bot]` behind it. */
  readonly app: string;
  /** The workflow's file name. */
  readonly workflow: string;
  readonly defaultBranch: string;
}

/**
 * Whether the App dispatched it, on the default branch. Somebody else can start the same workflow, or start a run of the
 * App's anew, with other things on the runner by then: neither counts.
 */
export function isDispatchedByApp(run: RunnerRun, { app, workflow, defaultBranch }: ExpectedRun): boolean {
  const bot = `${app}[bot]`.toLowerCase();
  const [path = ""] = run.path.split("@");
  return (
    run.event === "workflow_dispatch" &&
    run.actor.toLowerCase() === bot &&
    run.triggeredBy.toLowerCase() === bot &&
    run.attempt === 1 &&
    path === `.github/workflows/${workflow}` &&
    run.branch === defaultBranch
  );
}

/** What the App makes of a run that it dispatched itself. Anything but a clear success is none. */
export function judgeRun(run: RunnerRun | null, expected: ExpectedRun): "waits" | "succeeded" | "failed" {
  if (run === null || !isDispatchedByApp(run, expected)) return "failed";
  if (run.status !== "completed") return "waits";
  return run.conclusion === "success" ? "succeeded" : "failed";
}

/** How often a job is asked for before its runner counts as silent. */
const MOST_ASKS = 2;

export type RunnerStep = "ask" | "wait" | "believe" | "fail" | "give-up";

/** What follows for a job that runners are asked for. `asks` are those that were sent, the last with its run. */
export function nextRunnerStep({
  asks,
  run,
  ageMs,
  limitMs,
}: {
  readonly asks: number;
  /** Of the last ask; `lost` when the server died before it knew of a run. */
  readonly run: "waits" | "succeeded" | "failed" | "lost";
  /** Since the last ask. */
  readonly ageMs: number;
  readonly limitMs: number;
}): RunnerStep {
  if (asks === 0) return "ask";
  if (run === "succeeded") return "believe";
  if (run === "failed") return "fail";
  if (run === "waits" && ageMs < limitMs) return "wait";
  return asks < MOST_ASKS ? "ask" : "give-up";
}
