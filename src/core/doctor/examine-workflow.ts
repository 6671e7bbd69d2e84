import type { Diagnosis } from "./diagnosis.js";
import { cronsOf, isOnTheHour } from "./examine-schedule.js";

export interface WorkflowFacts {
  /** Below `.github/workflows`. */
  readonly file: string;
  readonly branch: string;
  /** Null when the default branch has no such file. */
  readonly text: string | null;
  /** Kinds of jobs that the App asks its runners for. */
  readonly kinds: readonly string[];
}

/**
 * The workflow that runners do koryph's work with. It is read as lines: whether it is valid at all is for GitHub to say,
 * which refuses to start one that is not.
 */
export function examineWorkflow({ file, branch, text, kinds }: WorkflowFacts): readonly Diagnosis[] {
  if (text === null) return [{ code: "workflow_missing", file, branch }];
  const found: Diagnosis[] = [];
  if (!/^\s*(?:on:.*\b|-\s*)?workflow_dispatch\b/m.test(text))
    found.push({ code: "workflow_takes_no_dispatch", file });
  for (const kind of kinds)
    if (!new RegExp(`^ {1,8}${kind}:\\s*(?:#.*)?$`, "m").test(text))
      found.push({ code: "job_missing", file, kind });
  found.push(...examineHygiene(file, text));
  return found.length > 0 ? found : [{ code: "workflow_ready", file }];
}

/** What no workflow of koryph's should do, whoever starts it. */
export function examineHygiene(file: string, text: string): readonly Diagnosis[] {
  // GitHub is busiest then, and starts what is asked for at that moment late or not at all.
  const found: Diagnosis[] = cronsOf(text)
    .filter(isOnTheHour)
    .map((cron) => ({ code: "cron_on_the_hour", file, cron }));
  const checkouts = text.match(/uses:\s*["']?actions\/checkout@/g)?.length ?? 0;
  const without = text.match(/persist-credentials:\s*["']?false\b/g)?.length ?? 0;
  if (checkouts > without) found.push({ code: "credentials_kept", file });
  return found;
}

/** Whether a workflow uses koryph's Action, under whichever name the copy of it goes. */
export function isKoryphs(text: string): boolean {
  if (/^\s*(?:-\s*)?uses:\s*["']?[\w.-]+\/[\w.-]*koryph[\w.-]*@/im.test(text)) return true;
  return /koryph/i.test(text) && /^\s*mode:\s*["']?(?:run|job|events|plan)\b/m.test(text);
}

/** A push or a pull request by the token that GitHub gives to a workflow starts no other workflow. */
export function startsNoChecks(text: string): boolean {
  return (
    /^\s*mode:\s*["']?run\b/m.test(text) &&
    /^\s*token:\s*["']?\$\{\{\s*(?:github\.token|secrets\.GITHUB_TOKEN)\s*\}\}/m.test(text)
  );
}
