import type { Person } from "./count-approvals.js";

/** A review that says yes or no, or whose word was taken back, as GitHub shows it now. */
export interface PullVerdict {
  /** `type` as GitHub names it: `User`, `Bot` and others. */
  readonly by: Person & { readonly type: string };
  /** Whether its author has push access now. Of those who have none, no review counts. */
  readonly mayPush: boolean;
  readonly state: "approved" | "changes-requested" | "dismissed";
  /** GitHub moves it along with the branch, so it proves nothing by itself. Empty when that commit is gone. */
  readonly head: string;
  readonly submittedAt: string;
  readonly url: string;
}

/** Of more verdicts on one pull request nobody can tell whether a request for changes is among them. */
export const MOST_VERDICTS = 5_000;

/** What each person said last, by account. */
export function lastVerdicts(verdicts: readonly PullVerdict[]): ReadonlyMap<number, PullVerdict> {
  return new Map(verdicts.filter(({ by }) => by.type === "User").map((verdict) => [verdict.by.id, verdict]));
}
