import type { RequiredCheck } from "./base-rules.js";
import type { NamedCheck } from "./pull-refusal.js";

/** A check run or a commit status on the head. */
export interface SeenCheck {
  readonly name: string;
  /** Who reported it; null for a commit status, of which GitHub does not tell. */
  readonly app: number | null;
  readonly status: "done" | "under-way";
  /** GitHub's word for how it ended, or for how far it is. */
  readonly state: string;
  /** Grows with every report of GitHub's: the newest of an app and name counts. */
  readonly order: number;
  /** Whether it is a job that GitHub lists under a workflow run of this very head; null for what is not of Actions. */
  readonly jobOfHead: boolean | null;
}

const GREEN: ReadonlySet<string> = new Set(["success", "neutral", "skipped"]);

export interface CheckVerdict {
  readonly red: readonly NamedCheck[];
  readonly missing: readonly NamedCheck[];
  readonly pending: readonly NamedCheck[];
}

/** How the required checks stand on one head. Several reports of one name all have to be green. */
export function judgeChecks(required: readonly RequiredCheck[], seen: readonly SeenCheck[]): CheckVerdict {
  const newest = newestReports(seen);
  const red: NamedCheck[] = [];
  const missing: NamedCheck[] = [];
  const pending: NamedCheck[] = [];
  for (const { name, app } of distinct(required)) {
    const reports = newest.filter((report) => report.name === name && (app === null || report.app === app));
    const bad = reports.find(({ status, state }) => status === "done" && !GREEN.has(state));
    const open = reports.find(({ status }) => status === "under-way");
    if (bad !== undefined) red.push({ name, state: bad.state });
    else if (open !== undefined) pending.push({ name, state: open.state });
    else if (reports.length === 0) missing.push({ name, state: "" });
  }
  return { red, missing, pending };
}

/** Any branch's workflow can post a check run of any name: those of Actions count only as jobs of this head. */
function newestReports(seen: readonly SeenCheck[]): SeenCheck[] {
  const newest = new Map<string, SeenCheck>();
  for (const report of seen) {
    if (report.jobOfHead === false) continue;
    const key = `${report.app ?? "status"} ${report.name}`;
    const before = newest.get(key);
    if (before === undefined || before.order < report.order) newest.set(key, report);
  }
  return [...newest.values()];
}

function distinct(required: readonly RequiredCheck[]): RequiredCheck[] {
  return [...new Map(required.map((check) => [`${check.app} ${check.name}`, check])).values()];
}
