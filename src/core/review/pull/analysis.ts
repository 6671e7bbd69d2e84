import { z } from "zod";
import { cleanPath } from "../../../lib/paths/clean-path.js";
import type { DegradedReview } from "../read-verdict.js";
import { type Finding, Verdict } from "../verdict.js";

const Sha = z.string().regex(/^[0-9a-f]{40,64}$/);

/** What a reviewer said of one head of a pull request, as it is kept on this machine. */
export const PullAnalysis = z.object({
  pull: z.int().min(1),
  title: z.string(),
  /** The very commit that was read; it says nothing of any other. */
  head: Sha,
  /** Where the pull request branched off. */
  base: Sha,
  at: z.string(),
  verdict: Verdict,
});
export type PullAnalysis = z.infer<typeof PullAnalysis>;

/** How an analysis ended. */
export type AnalysisEnd =
  | { readonly kind: "analysed"; readonly analysis: PullAnalysis }
  /** The reviewer's answer could not be understood, which is not clean. */
  | { readonly kind: "degraded"; readonly head: string; readonly why: DegradedReview };

/** A finding on a line of the head, as a check run shows it. */
export interface Annotation {
  readonly path: string;
  readonly line: number;
  readonly level: "failure" | "warning" | "notice";
  readonly title: string;
  readonly message: string;
}

const LEVELS: Readonly<Record<Finding["severity"], Annotation["level"]>> = {
  blocking: "failure",
  major: "warning",
  minor: "notice",
};

/** Findings that name a line, in the order they came in; a check run takes any line, also outside the change. */
export function annotationsOf(findings: readonly Finding[]): Annotation[] {
  return findings.flatMap(({ severity, file, line, summary }) => {
    // One path that is none could spoil the whole request.
    const path = cleanPath(file)?.join("/") ?? "";
    if (line === null || path === "") return [];
    return [{ path, line, level: LEVELS[severity], title: severity, message: summary || severity }];
  });
}
