/** The types a conventional commit may have; the prompt's examples and the check read the same list. */
export const COMMIT_TYPES = [
  "feat",
  "fix",
  "docs",
  "chore",
  "refactor",
  "revert",
  "test",
  "ci",
  "build",
  "perf",
  "style",
] as const;

const CONVENTIONAL = new RegExp(`^(${COMMIT_TYPES.join("|")})(\\([^()\\s][^()]*\\))?!?: \\S`);

export interface StyledCommit {
  readonly sha: string;
  readonly subject: string;
}

/** The commits whose subject the project does not accept. Git's own Merge and Revert subjects are among them. */
export function badSubjects<T extends StyledCommit>(
  commits: readonly T[],
  style: "conventional" | "none",
): readonly T[] {
  return style === "none" ? [] : commits.filter(({ subject }) => !CONVENTIONAL.test(subject));
}
