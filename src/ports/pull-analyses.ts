import type { PullAnalysis } from "../core/review/pull/analysis.js";

/** The latest analysis of each pull request, with its words. It stays on this machine. */
export interface PullAnalyses {
  /** Null when there is none, or it cannot be read. */
  read(pull: number): Promise<PullAnalysis | null>;
  write(analysis: PullAnalysis): Promise<void>;
  drop(pull: number): Promise<void>;
}
