/** A project that uses a pool, and whether it has work for it. */
export interface SharingProject {
  readonly project: string;
  readonly demand: boolean;
}

/**
 * How many agents each project may have of a pool: the same number for all that have work, and what cannot be divided
 * goes round, minute by minute, so that nobody waits for ever when there are more projects than places. A project
 * without work has 0, and what a project does not use is not lent. Empty when nobody uses the pool.
 */
export function fairShares(
  cap: number,
  projects: readonly SharingProject[],
  minute: number,
): ReadonlyMap<string, number> {
  const shares = new Map(projects.map(({ project }) => [project, 0]));
  const sharing = [...new Set(projects.filter(({ demand }) => demand).map(({ project }) => project))].sort();
  const places = Math.max(0, Math.floor(cap));
  const each = Math.floor(places / sharing.length);
  const rest = places % sharing.length;
  sharing.forEach((project, index) => {
    const turn = remainder(index - Math.floor(minute), sharing.length);
    shares.set(project, each + (turn < rest ? 1 : 0));
  });
  return shares;
}

/** Never negative, as `%` is for minutes before 1970. */
function remainder(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
