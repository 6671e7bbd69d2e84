import { analysisJson, analysisLines, degradedLines } from "../../../core/replies/review/analysis-text.js";
import { pullAdvice, pullLines } from "../../../core/replies/review/pull-words.js";
import type { AnalysisEnd, PullAnalysis } from "../../../core/review/pull/analysis.js";
import type { ChangedLines } from "../../../core/review/pull/changed-lines.js";
import type { LineRemark } from "../../../core/review/pull/review-request.js";
import { UserError } from "../../../lib/user-error.js";
import type { PullFacts } from "../../../ports/pulls.js";
import { postRemarks } from "../../../pulls/review/post-remarks.js";
import { postAnalysis, publishReviewCheck } from "../../../pulls/review/publish-analysis.js";
import { linesOf, openPullRequest, resumePull, reviewPull } from "../../../pulls/review/review-pull.js";
import type { WiredReview } from "../../wiring/pulls/wire-review.js";

export interface OneContext {
  readonly wired: WiredReview;
  readonly say: (line: string) => void;
  readonly livenessFile: string;
  readonly abort: AbortSignal;
  readonly flags: { readonly comment?: true; readonly resume?: true };
  readonly remarks: readonly LineRemark[];
}

/** How it went with one pull request. */
export interface PullReview {
  readonly ok: boolean;
  readonly analysed?: boolean;
  readonly json: object;
}

/** Analyses one pull request, or shows its analysis again; posts only what the flags ask for. */
export async function reviewOne(context: OneContext, number: number): Promise<PullReview> {
  const { wired, flags, remarks } = context;
  return wired.locked(number, async () => {
    if (flags.resume) return resumed(context, number);
    if (!flags.comment && remarks.length > 0) return onlyRemarks(context, number);
    return analysed(context, number);
  });
}

async function analysed(context: OneContext, number: number): Promise<PullReview> {
  const { wired, say, livenessFile, abort, flags } = context;
  const report = (pull: PullFacts) => say(pullLines.reading(number, pull.title, pull.head.sha));
  const end = await reviewPull(wired.parts({ livenessFile, abort, report }), number);
  switch (end.kind) {
    case "absent":
    case "ended":
      return notOpen(context, number, end);
    case "interrupted":
      return { ok: false, json: { pull: number, interrupted: true } };
    case "degraded": {
      for (const line of degradedLines(number, end)) say(line);
      const check = flags.comment ? await publishCheck(context, number, end) : {};
      return { ok: false, analysed: true, json: analysisJson(number, end, check) };
    }
    case "analysed": {
      for (const line of analysisLines(end.analysis)) say(line);
      const posted = flags.comment ? await post(context, end.analysis, end.changed) : {};
      return { ok: true, analysed: true, json: analysisJson(number, end, posted) };
    }
  }
}

async function resumed(context: OneContext, number: number): Promise<PullReview> {
  const { wired, say, flags } = context;
  const found = await resumePull(wired, number);
  if (found.kind !== "resumed") return notOpen(context, number, found);
  const { analysis, pull } = found;
  const moved = pull.head.sha !== analysis.head;
  for (const line of analysisLines(analysis)) say(line);
  if (moved) say(pullLines.movedNote(number, analysis.head, pull.head.sha));
  const end = { kind: "analysed", analysis } as const;
  if (!flags.comment)
    return { ok: true, json: analysisJson(number, end, { resumed: true, head_now: pull.head.sha }) };
  if (moved) throw UserError.of(pullAdvice.moved(number, analysis.head, pull.head.sha));
  const { changed } = await linesOf(partsOf(context), number, pull.base.branch);
  const posted = await post(context, analysis, changed);
  return { ok: true, json: analysisJson(number, end, { resumed: true, head_now: pull.head.sha, ...posted }) };
}

async function onlyRemarks(context: OneContext, number: number): Promise<PullReview> {
  const { wired } = context;
  const pull = await openPullRequest(wired, number);
  if ("kind" in pull) return notOpen(context, number, pull);
  const { head, changed } = await linesOf(partsOf(context), number, pull.base.branch);
  return {
    ok: true,
    json: { pull: number, head, ...(await sayRemarks(context, { pull: number, head, changed })) },
  };
}

function notOpen(
  { wired, say }: OneContext,
  number: number,
  found: { readonly kind: "absent" } | { readonly kind: "ended"; readonly state: "merged" | "closed" },
): PullReview {
  if (found.kind === "absent") throw UserError.of(pullAdvice.noSuchPull(number, wired.repository));
  say(pullLines.ended(number, found.state));
  return { ok: true, json: { pull: number, state: found.state } };
}

async function post(context: OneContext, analysis: PullAnalysis, changed: ChangedLines): Promise<object> {
  const { wired, say, remarks } = context;
  const { pull, head } = analysis;
  const posted = await postAnalysis(wired, analysis, changed);
  if (posted.kind === "moved") throw UserError.of(pullAdvice.moved(pull, head, posted.to));
  if (posted.kind === "refused") throw UserError.of(pullAdvice.refused(pull, posted.why));
  const { url, resolved } = posted;
  say(url === null ? pullLines.nothingNew() : pullLines.posted(url, resolved));
  const more = remarks.length === 0 ? {} : await sayRemarks(context, { pull, head, changed });
  return {
    review_url: url,
    resolved,
    ...more,
    ...(await publishCheck(context, pull, { kind: "analysed", analysis })),
  };
}

async function sayRemarks(
  { wired, say, remarks }: OneContext,
  facts: { readonly pull: number; readonly head: string; readonly changed: ChangedLines },
): Promise<object> {
  const sent = await postRemarks(wired.reviews, { ...facts, remarks, digest: wired.digest });
  if (sent.kind !== "posted")
    throw UserError.of(pullAdvice.refused(facts.pull, sent.kind === "refused" ? sent.why : sent.kind));
  say(pullLines.posted(sent.url, 0));
  return { remarks_url: sent.url };
}

async function publishCheck({ wired, say }: OneContext, pull: number, end: AnalysisEnd): Promise<object> {
  const published = await publishReviewCheck(wired, pull, end);
  if (published.kind === "not-allowed") {
    say(pullLines.noCheck());
    return { check_url: null };
  }
  say(pullLines.check(published.url));
  return { check_url: published.url };
}

function partsOf({ wired, livenessFile, abort }: OneContext) {
  return wired.parts({ livenessFile, abort, report: () => {} });
}
