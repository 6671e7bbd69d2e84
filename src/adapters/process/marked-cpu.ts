import { setImmediate as nextTurn } from "node:timers/promises";
import { allPids, environmentOf, readEntry } from "./proc-table.js";

/** All slots ask in the same tick; one look at the process table answers them all. */
const FRESH_MS = 1_000;
/** Reading a process takes tens of microseconds: after this many the event loop gets a turn. */
const AT_ONCE = 50;
const NAME = Buffer.from("KORYPH_SLOT=");

/** CPU seconds used so far by all living processes of each marker, and by children they waited for. */
export class MarkedCpu {
  #look: { readonly at: number; readonly seconds: Promise<ReadonlyMap<string, number>> } | null = null;

  async of(marker: string): Promise<number> {
    if (this.#look === null || performance.now() - this.#look.at > FRESH_MS)
      this.#look = { at: performance.now(), seconds: lookAround() };
    return (await this.#look.seconds).get(marker) ?? 0;
  }
}

async function lookAround(): Promise<ReadonlyMap<string, number>> {
  const seconds = new Map<string, number>();
  for (const [index, pid] of allPids().entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await nextTurn();
    const marker = markerIn(environmentOf(pid));
    const entry = marker === null ? null : readEntry(pid);
    if (marker !== null && entry !== null) seconds.set(marker, (seconds.get(marker) ?? 0) + entry.cpuSeconds);
  }
  return seconds;
}

function markerIn(environment: Buffer): string | null {
  for (let at = environment.indexOf(NAME); at !== -1; at = environment.indexOf(NAME, at + 1)) {
    if (at > 0 && environment[at - 1] !== 0) continue;
    const end = environment.indexOf(0, at);
    return environment.toString("utf8", at + NAME.length, end === -1 ? environment.length : end);
  }
  return null;
}
