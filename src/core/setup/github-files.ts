import type { JobKind } from "../model/job-kind.js";
import { eventsWorkflow } from "./events-workflow.js";
import { issueForm } from "./issue-form.js";
import { rulesets } from "./rulesets.js";
import { jobsWorkflow, wavesWorkflow } from "./workflows.js";

/** What the files for GitHub are made from. */
export interface GithubSetup {
  readonly project: string;
  /** The copy of koryph that workflows use: `owner/koryph@<commit>`. */
  readonly action: string;
  readonly workSource: "github" | "bd" | "file";
  readonly autoMerge: boolean;
  /** The label of the machines that waves run on; those of reviews and gates add a word of their own. */
  readonly runner: string;
  /** Whether only signed commits land. */
  readonly signed: boolean;
  /** The App that lands, which has to stand above the rule that everything goes through the button; null when not known. */
  readonly app: number | null;
  readonly jobs: { readonly workflow: string | null; readonly kinds: readonly JobKind[] };
  /** The workflows whose end landings may wait for, where comments are answered without a server; else null. */
  readonly events: { readonly checks: readonly string[] } | null;
}

export interface SetupFile {
  /** From the repository's top. */
  readonly path: string;
  readonly text: string;
  /** What koryph wrote there before the App was known. It is nobody's own, and makes room. */
  readonly earlier?: string;
}

export const EVENTS_FILE = ".github/workflows/koryph-events.yml";

/** Everything that a repository on GitHub needs to have koryph work in it. The same setup gives the same files. */
export function githubFiles(setup: GithubSetup): readonly SetupFile[] {
  const { jobs, events } = setup;
  const { workflow } = jobs;
  return [
    { path: ".github/workflows/koryph-waves.yml", text: wavesWorkflow(setup) },
    ...(workflow === null ? [] : [{ path: `.github/workflows/${workflow}`, text: jobsWorkflow(setup) }]),
    ...(events === null ? [] : [{ path: EVENTS_FILE, text: eventsWorkflow({ ...setup, ...events }) }]),
    { path: ".github/ISSUE_TEMPLATE/koryph.yml", text: issueForm() },
    ...rulesetFiles(setup),
  ];
}

function rulesetFiles(setup: GithubSetup): readonly SetupFile[] {
  const without = rulesets({ ...setup, app: null });
  return rulesets(setup).map((ruleset, at) => {
    const text = asFile(ruleset);
    const earlier = asFile(without[at]);
    return { path: `.github/rulesets/${ruleset.name}.json`, text, ...(earlier !== text && { earlier }) };
  });
}

function asFile(ruleset: object | undefined): string {
  return `${JSON.stringify(ruleset, null, 2)}\n`;
}
