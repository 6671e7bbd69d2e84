import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";

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

/** The value that this share of all values does not exceed. */
function percentile(values: readonly number[], share: number): number {
  const at = Math.max(0, Math.ceil(values.length * share) - 1);
  return values.toSorted((a, b) => a - b)[at] ?? 0;
}

type Side = "ours" | "plain";

/** Two things that do the same, round by round: milliseconds on the clock, and of processor time. */
export interface Pairs extends Record<Side, number[]> {
  readonly cpu: Record<Side, number>;
}

interface Round extends Record<Side, () => unknown> {
  /** Ends what a side left running, whose processor time is its own, too. */
  readonly settle?: () => Promise<void>;
}

/**
 * Both take turns, and who begins changes with every round, so that a noisy moment of the machine hits both. Rounds
 * below 0 warm code and disk up, and do not count.
 */
export async function inPairs(
  rounds: { readonly warmUp: number; readonly counted: number },
  prepare: (round: number) => Promise<Round>,
): Promise<Pairs> {
  const pairs: Pairs = { ours: [], plain: [], cpu: { ours: 0, plain: 0 } };
  for (let round = -rounds.warmUp; round < rounds.counted; round += 1) {
    const work = await prepare(round);
    const order = round % 2 === 0 ? (["ours", "plain"] as const) : (["plain", "ours"] as const);
    for (const name of order) {
      const before = cpuMs();
      const took = await timed(work[name]);
      await work.settle?.();
      if (round < 0) continue;
      pairs[name].push(took);
      pairs.cpu[name] += cpuMs() - before;
    }
  }
  return pairs;
}

/** Of this process and of all children that it has seen the end of, from the kernel's books, which count hundredths of a second. */
function cpuMs(): number {
  const [, ...fields] = readFileSync("/proc/self/stat", "utf8").split(") ").pop()?.split(" ") ?? [];
  const ticks = fields.slice(10, 14).reduce((sum, field) => sum + Number(field), 0);
  return ticks * 10;
}

/** What the pairs come to: each side's median and 90th percentile, and the median of the differences of a round. */
export function reportPairs(
  what: string,
  { ours, plain, cpu }: Pairs,
  wanted: { ms: string; ratio: string },
): void {
  const differences = ours.map((took, round) => took - (plain[round] ?? took));
  report(`${what}, ${ours.length} rounds: ours, median ms`, median(ours), "—");
  report("the same: 90th percentile ms", percentile(ours, 0.9), "—");
  report("plain, median ms", median(plain), "—");
  report("the same: 90th percentile ms", percentile(plain, 0.9), "—");
  report("ours less plain, median of all rounds, ms", median(differences), wanted.ms);
  report("ours / plain, of the medians", median(ours) / median(plain), wanted.ratio);
  report("processor time of ours / plain, all rounds", cpu.ours / cpu.plain, "—");
}

/** How much else the machine has to do: programs that want a core, over the last minute. */
export function reportLoad(): void {
  report(`load of the machine, which has ${cpus().length} cores`, loadavg()[0] ?? 0, "—");
}

/** One line of a report: what was measured, the ratio, what was wanted. */
export function report(what: string, ratio: number, wanted: string): void {
  process.stdout.write(
    `${what.padEnd(72)} ${ratio.toFixed(ratio < 10 ? 2 : 1).padStart(8)}   wanted ${wanted}\n`,
  );
}
