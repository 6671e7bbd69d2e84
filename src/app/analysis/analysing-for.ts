import { PullAnalysisFiles } from "../../adapters/home/pull-analysis-files.js";
import type { Analysing } from "../../comments/analysis-verb.js";
import type { InstalledPlace } from "../pulls/pull-places.js";
import type { AnalysisParts } from "./handle-analysis.js";

/** Analyses of one repository's pull requests, for those who ask for them in comments. */
export function analysingFor(
  { jobs, agents, home }: Pick<AnalysisParts, "jobs" | "agents" | "home">,
  { repository }: InstalledPlace,
): Analysing {
  return {
    by: agents.mayServe(repository.fullName) ? "here" : null,
    known: (pull) => jobs.known(repository.id, pull),
    start: (job, asked) => jobs.start(job, asked),
    async drop(project, pull) {
      await new PullAnalysisFiles(home.appAnalyses(repository.id).pullsFolder(project)).drop(pull);
      await jobs.drop(repository.id, pull);
    },
  };
}
