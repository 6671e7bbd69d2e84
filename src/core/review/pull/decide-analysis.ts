/** What an analysis of one head came to. */
export interface KnownAnalysis {
  readonly head: string;
  /** Null where a runner read it: what it found stands on GitHub, and nobody need believe what else it says. */
  readonly verdict: "clean" | "blocking" | "degraded" | null;
  readonly findings: number;
}

export interface AnalysisFacts {
  readonly state: "open" | "merged" | "closed";
  readonly head: string;
  /** Who can read it: an agent on the server itself, one on a runner, or nobody. */
  readonly by: "here" | "runner" | null;
  /** Read it again, although nothing is new. */
  readonly full: boolean;
  /** The last analysis that was asked for here; null when there was none. */
  readonly known: KnownAnalysis | null;
}

export type AnalysisDecision =
  | { readonly kind: "ended"; readonly state: "merged" | "closed" }
  | { readonly kind: "refuse"; readonly code: "no_reviewer" }
  | { readonly kind: "already"; readonly known: KnownAnalysis }
  | { readonly kind: "ask"; readonly head: string };

/** What comes of a person's wish for an analysis. One that is degraded says nothing, so it is made again. */
export function decideAnalysis({ state, head, by, full, known }: AnalysisFacts): AnalysisDecision {
  if (state !== "open") return { kind: "ended", state };
  if (by === null) return { kind: "refuse", code: "no_reviewer" };
  const same = known !== null && known.head === head && known.verdict !== "degraded";
  return same && !full ? { kind: "already", known } : { kind: "ask", head };
}

/** How an analysis that somebody asked for ended. */
export type AnalysisOutcome =
  | (KnownAnalysis & {
      readonly kind: "analysed";
      readonly at: string;
      /** The review, or the runner's run; null where there was nothing to say that does not stand there already. */
      readonly url: string | null;
    })
  | { readonly kind: "unanalysed"; readonly at: string; readonly why: AnalysisFailure };

/** For the record, in one word. */
export function outcomeCode(outcome: AnalysisOutcome): string {
  return outcome.kind === "unanalysed" ? outcome.why.code : (outcome.verdict ?? "analysed");
}

export type AnalysisFailure =
  | { readonly code: "not_open"; readonly state: "merged" | "closed" | "gone" }
  /** It was read at `head`, and is at `now` since: nothing was posted. */
  | { readonly code: "head_moved"; readonly head: string; readonly now: string }
  /** The server's log has the reason, which may name its folders. */
  | { readonly code: "reviewer_failed" }
  | { readonly code: "review_refused"; readonly detail: string }
  /** GitHub does not start the workflow. */
  | { readonly code: "runner_refused"; readonly workflow: string; readonly status: number }
  /** The project lets another App ask its runners. */
  | { readonly code: "other_app"; readonly named: string; readonly own: string }
  /** Its run ended without success; or was not heard of in time, twice. */
  | { readonly code: "runner_failed" | "runner_silent"; readonly url: string | null };
