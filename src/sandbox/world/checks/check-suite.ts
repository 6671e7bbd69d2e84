import type { CheckRun, Repository } from "../state.js";

/** The check runs of one app on one commit; those of a workflow run are a suite of their own. */
export interface CheckSuite {
  readonly id: number;
  readonly app: number;
  readonly headSha: string;
  readonly runs: readonly CheckRun[];
  readonly status: "queued" | "in_progress" | "completed";
  readonly conclusion: string | null;
  readonly startedAt: string;
  readonly updatedAt: string;
}

/**
 * Which suite a run is in. One that no workflow run made joins the first of its app on that commit: so does what a
 * workflow posts by the API, wherever that workflow itself runs.
 */
export function suiteId({ checkRuns }: Repository, run: CheckRun): number {
  if (run.suite !== undefined) return run.suite;
  const first = checkRuns.find(({ app, headSha }) => app === run.app && headSha === run.headSha);
  return first?.suite ?? first?.id ?? run.id;
}

export function suiteOf(repository: Repository, run: CheckRun): CheckSuite {
  const id = suiteId(repository, run);
  const runs = newestRuns(
    repository,
    repository.checkRuns.filter((each) => suiteId(repository, each) === id),
  );
  const ended = runs.every(({ status }) => status === "completed");
  const started = runs.some(({ status }) => status !== "queued");
  const times = runs.map(({ startedAt, completedAt }) => completedAt ?? startedAt).sort();
  return {
    ...{ id, app: run.app, headSha: run.headSha, runs },
    status: ended ? "completed" : started ? "in_progress" : "queued",
    conclusion: ended ? worst(runs.map(({ conclusion }) => conclusion ?? "")) : null,
    startedAt: runs[0]?.startedAt ?? run.startedAt,
    updatedAt: times.at(-1) ?? run.startedAt,
  };
}

/** All suites of a commit, oldest first. */
export function suitesOn(repository: Repository, sha: string): CheckSuite[] {
  const found = new Map<number, CheckRun>();
  for (const run of repository.checkRuns)
    if (run.headSha === sha && !found.has(suiteId(repository, run))) found.set(suiteId(repository, run), run);
  return [...found.values()].map((run) => suiteOf(repository, run));
}

/** Of several runs of a name in a suite, the newest. */
export function newestRuns(repository: Repository, runs: readonly CheckRun[]): CheckRun[] {
  return [...new Map(runs.map((run) => [`${suiteId(repository, run)} ${run.name}`, run])).values()];
}

const WORST_FIRST = ["failure", "startup_failure", "timed_out", "cancelled", "action_required", "stale"];

function worst(conclusions: readonly string[]): string {
  const bad = WORST_FIRST.find((each) => conclusions.includes(each));
  if (bad !== undefined) return bad;
  return ["success", "neutral", "skipped"].find((each) => conclusions.includes(each)) ?? "neutral";
}
