import { PullAnalysisFiles } from "../../adapters/home/pull-analysis-files.js";
import type { Analysing } from "../../comments/analysis-verb.js";
import type { ProjectConfig } from "../../core/config/project-schema.js";
import type { AnalysisFacts } from "../../core/review/pull/decide-analysis.js";
import type { InstalledPlace } from "../pulls/pull-places.js";
import type { AnalysisParts } from "./handle-analysis.js";

/** Who reads the pull requests of a repository: this server, a runner that it asks, or nobody. */
export function servedBy(
  { agents, mayAsk }: Pick<AnalysisParts, "agents" | "mayAsk">,
  { repository }: Pick<InstalledPlace, "repository">,
  { jobs }: Pick<ProjectConfig, "jobs">,
): AnalysisFacts["by"] {
  if (agents.mayServe(repository.fullName)) return "here";
  return mayAsk && jobs.workflow !== undefined && jobs.kinds.includes("review") ? "runner" : null;
}

/** Analyses of one repository's pull requests, for those who ask for them in comments. */
export function analysingFor(
  { jobs, agents, home, mayAsk }: Pick<AnalysisParts, "jobs" | "agents" | "home" | "mayAsk">,
  { repository }: InstalledPlace,
): Analysing {
  return {
    by: (config) => servedBy({ agents, mayAsk }, { repository }, config),
    known: (pull) => jobs.known(repository.id, pull),
    start: (job, asked) => jobs.start(job, asked),
    async drop(project, pull) {
      await new PullAnalysisFiles(home.appAnalyses(repository.id).pullsFolder(project)).drop(pull);
      await jobs.drop(repository.id, pull);
    },
  };
}
