import { acceptanceCriteria } from "../../core/prompt/acceptance-criteria.js";
import type { PromptProject } from "../../core/prompt/compile-prompt.js";
import type { Persona } from "../../core/prompt/persona.js";
import { type PullTask, pullPrompt } from "../../core/prompt/pull-prompt.js";
import { findingLine } from "../../core/replies/review/analysis-text.js";
import { pullAdvice } from "../../core/replies/review/pull-words.js";
import type { AnalysisEnd, PullAnalysis } from "../../core/review/pull/analysis.js";
import { type ChangedLines, changedLines } from "../../core/review/pull/changed-lines.js";
import { MOST_PULL_FINDINGS } from "../../core/review/pull/limits.js";
import { readVerdict } from "../../core/review/read-verdict.js";
import type { Outcome } from "../../core/runtimes/agent-outcome.js";
import { UserError } from "../../lib/user-error.js";
import type { Ledger } from "../../ports/ledger.js";
import type { PullAnalyses } from "../../ports/pull-analyses.js";
import type { BroughtPull, PullSource } from "../../ports/pull-source.js";
import type { PullFacts, Pulls } from "../../ports/pulls.js";

export interface ReviewPullParts {
  readonly pulls: Pick<Pulls, "read">;
  readonly source: PullSource;
  readonly analyses: PullAnalyses;
  readonly ledger: Pick<Ledger, "observe">;
  /** What the pull request was opened for; null for everybody else's. */
  readonly beadOf: (pull: number) => Promise<PullTask["bead"]>;
  /** Rules and persona, as the base branch has them. */
  readonly project: (
    brought: BroughtPull,
  ) => Promise<{ readonly prompt: PromptProject; readonly persona?: Persona }>;
  /** Null when it was interrupted. */
  readonly review: (task: {
    readonly pull: number;
    readonly cwd: string;
    readonly prompt: string;
    readonly persona?: Persona;
  }) => Promise<Outcome | null>;
  readonly now: () => Date;
  readonly report: (pull: PullFacts) => void;
}

export type ReviewedPull =
  | { readonly kind: "absent" }
  /** Merged or closed: there is nothing to analyse, and what was kept about it is gone. */
  | { readonly kind: "ended"; readonly state: "merged" | "closed" }
  | { readonly kind: "interrupted" }
  | (AnalysisEnd & { readonly changed: ChangedLines });

/** Lets a reviewer read a pull request's head, and keeps what it found, bound to that very commit. */
export async function reviewPull(parts: ReviewPullParts, number: number): Promise<ReviewedPull> {
  const pull = await openPullRequest(parts, number);
  if ("kind" in pull) return pull;
  parts.report(pull);
  try {
    const brought = await parts.source.bring(number, pull.base.branch);
    const change = await parts.source.change(brought);
    const bead = await parts.beadOf(number);
    const { prompt: project, persona } = await parts.project(brought);
    const earlier = (await parts.analyses.read(number))?.verdict.findings ?? [];
    const prompt = pullPrompt(project, {
      ...{ number, title: pull.title, body: pull.body, bead, persona, ...change },
      earlier: earlier.map((finding) => findingLine(finding).trim()),
    });
    const cwd = await parts.source.checkOut(number, brought);
    const outcome = await parts.review({ pull: number, cwd, prompt, ...(persona && { persona }) });
    if (outcome === null) return { kind: "interrupted" };
    const end = await concluded(parts, { pull, brought, outcome, bead });
    return { ...end, changed: changedLines(change.diff) };
  } finally {
    await parts.source.drop(number);
  }
}

/** An analysis that was made before, without running a reviewer again. `head` is what the pull request is at now. */
export async function resumePull(
  parts: Pick<ReviewPullParts, "pulls" | "analyses">,
  number: number,
): Promise<
  | Extract<ReviewedPull, { kind: "absent" | "ended" }>
  | { readonly kind: "resumed"; readonly analysis: PullAnalysis; readonly pull: PullFacts }
> {
  const pull = await openPullRequest(parts, number);
  if ("kind" in pull) return pull;
  const analysis = await parts.analyses.read(number);
  if (analysis === null) throw UserError.of(pullAdvice.nothingSaved(number));
  return { kind: "resumed", analysis, pull };
}

/** The lines that comments can stand on, for an analysis that was made before. */
export async function linesOf(
  { source }: Pick<ReviewPullParts, "source">,
  number: number,
  baseBranch: string,
): Promise<{ readonly head: string; readonly changed: ChangedLines }> {
  try {
    const brought = await source.bring(number, baseBranch);
    const { diff } = await source.change(brought);
    return { head: brought.head, changed: changedLines(diff) };
  } finally {
    await source.drop(number);
  }
}

/** The pull request, if it is open. What is kept about one that is not goes. */
export async function openPullRequest(
  { pulls, analyses }: Pick<ReviewPullParts, "pulls" | "analyses">,
  number: number,
): Promise<PullFacts | Extract<ReviewedPull, { kind: "absent" | "ended" }>> {
  const pull = await pulls.read(number);
  if (pull === null) return { kind: "absent" };
  if (pull.state === "open") return pull;
  await analyses.drop(number);
  return { kind: "ended", state: pull.merged === null ? "closed" : "merged" };
}

interface Ended {
  readonly pull: PullFacts;
  readonly brought: BroughtPull;
  readonly outcome: Outcome;
  readonly bead: PullTask["bead"];
}

/** Kept and recorded before anybody is told. The ledger may be public, so it gets numbers only. */
async function concluded(
  parts: ReviewPullParts,
  { pull, brought, outcome, bead }: Ended,
): Promise<AnalysisEnd> {
  const { number } = pull;
  const { head, base } = brought;
  const reading =
    outcome.kind === "completed"
      ? readVerdict(outcome, acceptanceCriteria(bead?.acceptance ?? ""), MOST_PULL_FINDINGS)
      : ({ kind: "degraded", why: { code: "died", outcome: outcome.kind } } as const);
  if (reading.kind === "degraded") {
    await parts.ledger.observe([
      { type: "pull.analysed", data: { pull: number, head, verdict: "degraded", findings: 0 } },
    ]);
    return { kind: "degraded", head, why: reading.why };
  }
  const { verdict } = reading;
  const at = parts.now().toISOString();
  const analysis: PullAnalysis = { pull: number, title: pull.title, head, base, at, verdict };
  await parts.analyses.write(analysis);
  const data = {
    ...{ pull: number, head, findings: verdict.findings.length },
    verdict: verdict.blocking ? ("blocking" as const) : ("clean" as const),
  };
  await parts.ledger.observe([{ type: "pull.analysed", data }]);
  return { kind: "analysed", analysis };
}
