export interface DefaultBranchFacts {
  /** The operator's `init.defaultBranch`; null when it is not set. */
  readonly configured: string | null;
  readonly branches: readonly string[];
  /** The only branch there is must be it: so it is in a repository of one's own, not on a remote that lost its own. */
  readonly onlyOne: boolean;
}

/**
 * The branch to land on, where neither the project file nor a remote's HEAD names it; null when somebody has to say.
 * What happens to be checked out is no answer: a feature branch is checked out more often than not.
 */
export function findDefaultBranch({ configured, branches, onlyOne }: DefaultBranchFacts): string | null {
  const usual = [configured, "main", "master"].find((name) => name !== null && branches.includes(name));
  if (usual !== undefined) return usual;
  return onlyOne && branches.length === 1 ? (branches[0] ?? null) : null;
}
