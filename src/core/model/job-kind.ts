/** What a runner can be asked for: to have a pull request read, its commits replayed and signed, or the gate run. */
export const JOB_KINDS = ["review", "rebase", "gate"] as const;
export type JobKind = (typeof JOB_KINDS)[number];
