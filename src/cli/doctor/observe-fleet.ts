import type { Octokit } from "../../adapters/github/app-client.js";
import {
  readOwnRunners,
  readScheduledRuns,
  readSharedRunners,
  readWorkflowFiles,
  type WorkflowFile,
} from "../../adapters/github/runners/read-fleet.js";
import type { ProjectConfig } from "../../core/config/project-schema.js";
import type { Diagnosis } from "../../core/doctor/diagnosis.js";
import { answersEvents, examineEvents } from "../../core/doctor/examine-events.js";
import { examineRunners } from "../../core/doctor/examine-runners.js";
import { examineSchedule } from "../../core/doctor/examine-schedule.js";
import {
  examineHygiene,
  examineWorkflow,
  isKoryphs,
  startsNoChecks,
} from "../../core/doctor/examine-workflow.js";
import { ownRunners } from "../../core/doctor/runs-on.js";
import { checkingWorkflows } from "../../core/setup/checking-workflows.js";

interface FleetPlace {
  readonly repository: string;
  readonly branch: string;
  readonly isPublic: boolean;
  /** The organisation that it belongs to; null for a person's. */
  readonly organisation: string | null;
  /** Whether the branch asks for checks. */
  readonly checked: boolean;
  /** The App that hears comments; null where there is none. */
  readonly answering: string | null;
}

/** The workflows that run koryph, whether the clock starts them, and on which machines they run. */
export async function observeFleet(
  client: Octokit,
  place: FleetPlace,
  config: Pick<ProjectConfig, "jobs" | "merge_policy">,
): Promise<readonly Diagnosis[]> {
  const { repository, branch } = place;
  const { workflow, kinds } = config.jobs;
  const files = await readWorkflowFiles(client, repository, branch);
  const koryphs = files.filter(({ file, text }) => file === workflow || isKoryphs(text));
  const found: Diagnosis[] = [];
  if (workflow !== undefined) {
    const text = files.find(({ file }) => file === workflow)?.text ?? null;
    found.push(...examineWorkflow({ file: workflow, branch, text, kinds }));
  }
  for (const { file, text } of koryphs) {
    if (file !== workflow) found.push(...examineHygiene(file, text));
    if (config.merge_policy === "pr" && place.checked && startsNoChecks(text))
      found.push({ code: "checks_never_start", file });
    const seen = await readScheduledRuns(client, repository, file);
    const { state, since, runs } = seen ?? { state: null, since: "", runs: [] };
    // One that is switched off answers nothing.
    const app = state === null || state === "active" ? place.answering : null;
    if (answersEvents(text))
      found.push(...examineEvents({ file, text, checks: checkingWorkflows(files), app }));
    const needed = file === workflow;
    found.push(...examineSchedule({ file, text, state, since, runs, needed, now: Date.now() }));
  }
  return [...found, ...(await observeRunners(client, place, koryphs))];
}

async function observeRunners(
  client: Octokit,
  { repository, organisation, isPublic }: FleetPlace,
  files: readonly WorkflowFile[],
): Promise<readonly Diagnosis[]> {
  const asks = files.flatMap(({ file, text }) => ownRunners(text).map((labels) => ({ file, labels })));
  if (asks.length === 0) return [];
  const own = await readOwnRunners(client, repository);
  const shared = organisation === null ? "none" : await readSharedRunners(client, organisation);
  return examineRunners({ asks, own, shared, isPublic });
}
