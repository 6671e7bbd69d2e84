/** What a runner can be asked for: to have a pull request read, or its commits replayed and signed. */
export const JOB_KINDS = ["review", "rebase"] as const;
export type JobKind = (typeof JOB_KINDS)[number];
