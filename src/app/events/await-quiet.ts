import { setTimeout as pause } from "node:timers/promises";
import type { Lane, ListedJob } from "../../ports/inbox.js";
import { BEADS_JOB } from "../comments/look-at-beads.js";
import { OUTCOME_JOB } from "../comments/watch-outcome.js";
import { LOOK_JOB } from "../pulls/look-jobs.js";

export interface QuietParts {
  readonly inbox: {
    list(): Promise<ListedJob[]>;
    hasten(lane: Lane, keyStart: string): Promise<number>;
  };
  readonly onAdded: (lane: Lane) => void;
  readonly now: () => number;
}

/** A server gathers bursts of events before it looks; here there is one event. */
const LOOKS: readonly string[] = [LOOK_JOB, BEADS_JOB];
/** What comes due so soon is waited for, for so long in all. A runner that waits costs as much as one that works. */
const SOON_MS = 10_000;
const IDLE_MS = 25_000;
/** Whoever has not ended by then never will, and another run goes on. */
const LONGEST_MS = 10 * 60_000;
const STEP_MS = 25;

/** Returns when nothing is left in the inbox that can be done now, or soon. */
export async function awaitQuiet({ inbox, onAdded, now }: QuietParts): Promise<void> {
  const begun = now();
  let idle = 0;
  while (now() - begun < LONGEST_MS) {
    const jobs = firstOfEach((await inbox.list()).filter(({ state }) => state !== "dead"));
    const left = howBusy(jobs, now());
    if (left === "quiet") {
      if (!jobs.some(isUntriedLook)) return;
      for (const name of LOOKS) await inbox.hasten("work", `${name} `);
      onAdded("work");
    } else if (left === "soon") {
      if (idle > IDLE_MS) return;
      idle += STEP_MS;
    }
    await pause(STEP_MS);
  }
}

/** What stands behind another job of its key waits for that one. */
function firstOfEach(jobs: readonly ListedJob[]): ListedJob[] {
  const seen = new Map<string, ListedJob>();
  for (const job of jobs.toSorted((a, b) => a.receivedAt - b.receivedAt)) {
    const name = `${job.lane} ${job.key}`;
    if (!seen.has(name)) seen.set(name, job);
  }
  return [...seen.values()];
}

function howBusy(jobs: readonly ListedJob[], now: number): "busy" | "soon" | "quiet" {
  if (jobs.some(({ state, notBefore }) => state === "in-hand" || notBefore <= now)) return "busy";
  // What an engine makes of a command is told by a later run; a landing that ends has it told at once.
  const soon = jobs.filter((job) => job.name !== OUTCOME_JOB && !isUntriedLook(job));
  return soon.some(({ notBefore }) => notBefore - now <= SOON_MS) ? "soon" : "quiet";
}

function isUntriedLook({ name, error }: ListedJob): boolean {
  return LOOKS.includes(name) && error === "";
}
