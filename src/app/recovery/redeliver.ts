import { chooseRedeliveries, DELIVERIES_KEPT_MS } from "../../core/recovery/choose-redeliveries.js";
import type { Deliveries } from "../../ports/deliveries.js";
import { TryLater } from "../../ports/try-later.js";

/** What is remembered from one round to the next. */
export interface DeliveryMemory {
  asked(guid: string): Promise<number>;
  noteAsked(guid: string, now: number): Promise<void>;
  lastSweep(name: string): Promise<number | null>;
  noteSweep(name: string, at: number): Promise<void>;
}

export interface RedeliverParts {
  readonly deliveries: Pick<Deliveries, "since" | "askAgain">;
  /** Whether a delivery is in the inbox, or was. */
  readonly inbox: { has(id: string): Promise<boolean> };
  readonly memory: DeliveryMemory;
  readonly now: () => number;
}

const SWEEP = "deliveries";

/**
 * What is asked for again appears as a new attempt at any time after, and may have to wait for its next turn; so every
 * round looks back over some of the last.
 */
const OVERLAP_MS = 30 * 60_000;

/** Asks GitHub again for every event that never arrived; how many those were. */
export async function redeliver(parts: RedeliverParts, signal: AbortSignal): Promise<number> {
  const { deliveries, inbox, memory, now } = parts;
  const begun = now();
  const last = await memory.lastSweep(SWEEP);
  // A round in the future was noted while the clock ran ahead: nobody knows when it was.
  const known = last !== null && last <= begun ? last : 0;
  const since = Math.max(begun - DELIVERIES_KEPT_MS, known - OVERLAP_MS);
  const seen = await deliveries.since(since);

  const asked = new Map<string, number>();
  const arrived = new Set<string>();
  for (const { guid } of chooseRedeliveries(seen, { now: begun, asked: () => 0, known: () => false })) {
    asked.set(guid, await memory.asked(guid));
    // The inbox has GUIDs in lower case.
    if (await inbox.has(guid.toLowerCase())) arrived.add(guid);
  }
  const owed = chooseRedeliveries(seen, {
    now: begun,
    asked: (guid) => asked.get(guid) ?? 0,
    known: (guid) => arrived.has(guid),
  });
  const failures: unknown[] = [];
  for (const { id, guid } of owed) {
    if (signal.aborted) return 0;
    try {
      await deliveries.askAgain(id);
      // After the asking: an outage of GitHub's must not use up the few times an event is asked for.
      await memory.noteAsked(guid, now());
    } catch (error) {
      if (error instanceof TryLater) throw error;
      failures.push(error);
    }
  }
  // The round does not count then, and the next one looks back as far as this one did.
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of ${owed.length} not asked for`);
  await memory.noteSweep(SWEEP, begun);
  return owed.length;
}
