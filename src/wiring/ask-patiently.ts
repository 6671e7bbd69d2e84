import { OutsideFault } from "../ports/outside-fault.js";

interface PatienceFacts {
  /** Told of what does not answer, once. */
  readonly tell: (what: string) => void;
  readonly sleep: (ms: number) => Promise<unknown>;
}

/** Four minutes in all: outages are mostly shorter, and whoever starts runs by a timetable need not hear of them. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, ...Array.from({ length: 15 }, () => 15_000)];

/**
 * Asks until there is an answer. Once a run is under way its ticks do that; before, there is nothing yet to come back
 * to. What was read in vain is known to whoever is asked again.
 */
export async function askPatiently<T>(ask: () => Promise<T>, { tell, sleep }: PatienceFacts): Promise<T> {
  for (const [tries, ms] of PAUSES_MS.entries()) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof OutsideFault)) throw error;
      if (tries === 0) tell(error.message);
      await sleep(ms);
    }
  }
  return ask();
}
