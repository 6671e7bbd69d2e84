/**
 * Median milliseconds of each variant. Variants take turns within a round, so that a noisy moment of the
 * machine hits all of them; what counts is the ratio between two of them, never the number alone.
 */
export function measure<K extends string>(
  rounds: number,
  variants: Record<K, () => unknown>,
): Record<K, number> {
  const names = Object.keys(variants) as K[];
  const times = new Map<K, number[]>(names.map((name) => [name, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (const name of names) {
      globalThis.gc?.();
      const start = process.hrtime.bigint();
      variants[name]();
      const took = Number(process.hrtime.bigint() - start) / 1e6;
      // The round before the first warms the code up.
      if (round >= 0) times.get(name)?.push(took);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<K, number>;
}

function median(values: number[]): number {
  const sorted = values.sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

/** One line of a report: what was measured, the ratio, what was wanted. */
export function report(what: string, ratio: number, wanted: string): void {
  process.stdout.write(
    `${what.padEnd(72)} ${ratio.toFixed(ratio < 10 ? 2 : 1).padStart(8)}   wanted ${wanted}\n`,
  );
}
