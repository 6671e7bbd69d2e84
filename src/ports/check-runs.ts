import type { Annotation } from "../core/review/pull/analysis.js";

export interface CheckRunReport {
  readonly name: string;
  readonly head: string;
  /** Tells this very report from others of the name: a report that is there already is not made again. */
  readonly externalId: string;
  readonly conclusion: "success" | "failure" | "neutral";
  readonly title: string;
  readonly summary: string;
  readonly text: string;
  readonly annotations: readonly Annotation[];
}

export type Published =
  | { readonly kind: "published"; readonly url: string }
  /** Check runs belong to Apps, and the token is a person's; or it may not write any. */
  | { readonly kind: "not-allowed" };

/** Check runs of one repository. */
export interface CheckRuns {
  /** The report is there afterwards, whole and ended. May be repeated. */
  publish(report: CheckRunReport): Promise<Published>;
}
