interface BackoffLimits {
  readonly first: number;
  readonly longest: number;
}

/** How long to wait after a failure that so many came before: twice as long each time, in the unit of the limits. */
export function backoff({ first, longest }: BackoffLimits, before: number): number {
  return Math.min(first * 2 ** before, longest);
}
