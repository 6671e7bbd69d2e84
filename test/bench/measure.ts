/** Rounds before the first that counts: code gets faster while it is being run. */
const WARM_UP = 5;

/**
 * Milliseconds of each variant in its fastest round. Variants take turns within a round, so that a noisy moment
 * of the machine hits all of them, and the fastest round is the one that was disturbed least. What counts is the
 * ratio between two of them, never the number alone.
 */
export function measure<K extends string>(
  rounds: number,
  variants: Record<K, () => unknown>,
): Record<K, number> {
  const names = Object.keys(variants) as K[];
  const best = new Map<K, number>(names.map((name) => [name, Number.POSITIVE_INFINITY]));
  for (let round = -WARM_UP; round < rounds; round += 1) {
    for (const name of names) {
      const start = process.hrtime.bigint();
      variants[name]();
      const took = Number(process.hrtime.bigint() - start) / 1e6;
      if (round >= 0) best.set(name, Math.min(best.get(name) ?? took, took));
    }
  }
  return Object.fromEntries(best) as Record<K, number>;
}

/** Milliseconds that one piece of work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** One line of a report: what was measured, the ratio, what was wanted. */
export function report(what: string, ratio: number, wanted: string): void {
  process.stdout.write(
    `${what.padEnd(72)} ${ratio.toFixed(ratio < 10 ? 2 : 1).padStart(8)}   wanted ${wanted}\n`,
  );
}
