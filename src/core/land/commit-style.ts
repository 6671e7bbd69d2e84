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

/** Control characters, and marks that reorder what follows: a log on a terminal would show something else. */
const UNPRINTABLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

export interface CommitSubject {
  readonly sha: string;
  readonly subject: string;
}

/** The commits whose subject the project does not accept. Git's own Merge and Revert subjects are among them. */
export function badSubjects<T extends CommitSubject>(
  commits: readonly T[],
  style: "conventional" | "none",
): readonly T[] {
  return style === "none"
    ? []
    : commits.filter(({ subject }) => !CONVENTIONAL.test(subject) || UNPRINTABLE.test(subject));
}
