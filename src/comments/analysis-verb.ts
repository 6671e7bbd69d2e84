import type { ProjectConfig } from "../core/config/project-schema.js";
import type { CommentJob } from "../core/model/comment-job.js";
import { beadOfBranch } from "../core/model/pull.js";
import { analysisReplies } from "../core/replies/review/analysis-replies.js";
import {
  type AnalysisFacts,
  decideAnalysis,
  type KnownAnalysis,
} from "../core/review/pull/decide-analysis.js";
import type { PullFacts } from "../ports/pulls.js";
import type { PullAnswer, PullCommand } from "./pull-verbs.js";

export interface AskedAnalysis {
  readonly pull: number;
  readonly head: string;
  readonly base: string;
}

/** Has the pull requests of one repository read by a reviewer. */
export interface Analysing {
  by(config: Pick<ProjectConfig, "jobs">): AnalysisFacts["by"];
  /** The last one that was made for this App; null when there was none. */
  known(pull: number): Promise<KnownAnalysis | null>;
  /** The reviewer is under way from now on; `request` is the event that asked for it. */
  start(job: CommentJob, analysis: AskedAnalysis & { readonly request: string }): Promise<void>;
  /** What is kept about a pull request goes. */
  drop(project: string, pull: number): Promise<void>;
}

export async function answerReview(
  analysing: Analysing,
  { full, dryRun }: Extract<PullCommand, { verb: "review" }>,
  { pull, config }: { readonly pull: PullFacts; readonly config: Pick<ProjectConfig, "jobs" | "project_id"> },
): Promise<PullAnswer> {
  const { number } = pull;
  const decision = decideAnalysis({
    state: pull.state === "open" ? "open" : pull.merged === null ? "closed" : "merged",
    ...{ head: pull.head.sha, by: analysing.by(config), full, known: await analysing.known(number) },
  });
  switch (decision.kind) {
    case "ended":
      if (!dryRun) await analysing.drop(config.project_id, number);
      return { kind: "said", said: analysisReplies.ended(decision.state) };
    case "refuse":
      return analysisReplies.noReviewer();
    case "already":
      return { kind: "said", said: analysisReplies.already(decision.known) };
    case "ask": {
      const bead = beadOfBranch(pull.head);
      const asked = { pull: number, head: decision.head, base: pull.base.sha };
      const data = { kind: "review" as const, ...asked };
      return {
        kind: "record",
        events: [{ type: "job.requested", ...(bead !== null && { bead }), data }],
        said: analysisReplies.queued(decision.head),
        done: false,
        effect: { kind: "analyse", ...asked },
      };
    }
  }
}
