import { placeOf } from "../core/run/ledger/place-of.js";
import type { Slot } from "../core/run/ledger/slot.js";
import { nextStop, type StopFacts } from "../core/run/tick/stop-ladder.js";
import type { EngineParts } from "./engine-parts.js";
import { markerOf } from "./marker.js";
import { wordEvent } from "./word-event.js";

export interface StopParts
  extends Pick<EngineParts, "ledger" | "processes" | "folders" | "worktrees" | "now"> {
  readonly stopSignals: (runtime: string) => StopFacts["stopSignals"];
  /** Waits so long, or until it is told that there is no more need to. */
  readonly pause: (ms: number, enough: AbortSignal) => Promise<void>;
}

export interface StopAsked {
  readonly force: boolean;
  readonly actor: string;
  /** The lease of the engine that had them and is gone; null when nobody has it. */
  readonly lease: string | null;
}

export interface AgentsStopped {
  /** Beads whose agent was alive and is not any more. */
  readonly ended: readonly string[];
  /** Beads whose agent does not end: it sleeps in the kernel, or belongs to another user. */
  readonly left: readonly string[];
}

/** A process that has not gone by then does not go for a signal. */
const PATIENCE_MS = 90_000;

/**
 * Ends the agents of these slots in place of an engine that is gone; the caller has its lock. That they were stopped is
 * on record before a signal is sent, so that the next engine takes their end for what it was.
 */
export async function stopAgents(
  slots: readonly Slot[],
  asked: StopAsked,
  parts: StopParts,
): Promise<AgentsStopped> {
  const alive: Slot[] = [];
  for (const slot of slots)
    if ((await parts.processes.status(parts.folders.folder(placeOf(slot)))).kind === "alive")
      alive.push(slot);
  const { lease, actor, force } = asked;
  const events = alive.map(({ bead, run, attempt }) => ({
    ...wordEvent({
      type: "slot.stopping",
      bead,
      run,
      why: { code: "asked-for", actor },
      data: { attempt, force },
    }),
    ...(lease !== null && { lease }),
  }));
  if (events.length > 0) await parts.ledger.observe(events);
  const ended = await Promise.all(alive.map((slot) => endAgent(slot, force, parts)));
  // Also what an agent that is gone has left running.
  for (const slot of slots) await parts.processes.sweep(markerOf(slot), parts.worktrees.pathOf(slot.bead));
  const beads = (wanted: boolean) => alive.filter((_, at) => ended[at] === wanted).map(({ bead }) => bead);
  return { ended: beads(true), left: beads(false) };
}

/** False when it is still there after all. */
async function endAgent(slot: Slot, force: boolean, parts: StopParts): Promise<boolean> {
  const { processes, now } = parts;
  const folder = parts.folders.folder(placeOf(slot));
  const stopSignals = parts.stopSignals(slot.runtime);
  const sent: { signal: StopFacts["stopSignals"][number]; at: number }[] = [];
  const recordedAt = now();
  const enough = new AbortController();
  const unwatch = processes.watch(folder, () => enough.abort());
  try {
    for (;;) {
      if ((await processes.status(folder)).kind !== "alive") return true;
      if (now() - recordedAt > PATIENCE_MS) return false;
      const step = nextStop({ stopSignals, force, recordedAt, sent, now: now() });
      if (step.kind === "wait") await parts.pause(step.until - now(), enough.signal);
      else {
        sent.push({ signal: step.signal, at: now() });
        await processes.signal(folder, step.signal);
      }
    }
  } finally {
    unwatch();
  }
}
