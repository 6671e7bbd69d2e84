import type { Diagnosis } from "./diagnosis.js";

export interface WorkflowFacts {
  /** Below `.github/workflows`. */
  readonly file: string;
  readonly branch: string;
  /** Null when the default branch has no such file. */
  readonly text: string | null;
  /** Kinds of jobs that the App asks its runners for. */
  readonly kinds: readonly string[];
}

/** GitHub is busiest then, and starts what is asked for at that moment late or not at all. */
const ON_THE_HOUR = /^\s*-?\s*cron:\s*["']?(0{1,2}\s[^"'\n#]*)/gm;

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
  for (const [, cron = ""] of text.matchAll(ON_THE_HOUR))
    found.push({ code: "cron_on_the_hour", file, cron: cron.trim() });
  const checkouts = text.match(/uses:\s*["']?actions\/checkout@/g)?.length ?? 0;
  const without = text.match(/persist-credentials:\s*["']?false\b/g)?.length ?? 0;
  if (checkouts > without) found.push({ code: "credentials_kept", file });
  return found.length > 0 ? found : [{ code: "workflow_ready", file }];
}
