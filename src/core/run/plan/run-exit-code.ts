/** What the operator's shell makes of a run's end. */
export interface ExitWishes {
  /** A bead that ended blocked, or in conflict, is a failure. */
  readonly strict?: boolean | undefined;
  /** Drained is 0: shells with `set -e` take anything else for a failure. */
  readonly ok?: boolean | undefined;
}

const DRAINED = 4;

/** The exit code of a run that ended with this one. */
export function runExitCode(
  { code, blocked }: { readonly code: number; readonly blocked: number },
  { strict = false, ok = false }: ExitWishes,
): number {
  if (strict && blocked > 0) return 1;
  return ok && code === DRAINED ? 0 : code;
}
