import { type AdmissionDenial, askAgainAt, DENIAL_REACH } from "../../govern/admission-denial.js";
import { poolOfAgent } from "../../runtimes/pool-of-agent.js";
import type { Effect, TickFacts, TickMemory } from "./tick-facts.js";

/** An agent that is to be started, as the machine's governor is asked for a place. */
export interface PlaceAsked {
  readonly bead: string;
  readonly attempt: number;
  readonly pool: string;
  readonly resources: readonly string[];
}

/** A place that was asked for in vain. */
export interface Denied {
  readonly asked: Pick<PlaceAsked, "bead" | "pool">;
  readonly why: AdmissionDenial;
  /** When it is worth asking again, in ms. */
  readonly until: number;
}

export function placeFor(agent: {
  readonly bead: string;
  readonly attempt: number;
  readonly runtime: string;
  readonly resources: readonly string[];
}): PlaceAsked {
  const { bead, attempt, runtime, resources } = agent;
  return { bead, attempt, pool: poolOfAgent({ runtime, profile: null }), resources };
}

/** A denial, kept until its time or the next look of the engine's: other engines' agents end unseen. */
export function deniedUntil(why: AdmissionDenial, now: number, pollSeconds: number): number {
  const latest = now + pollSeconds * 1000;
  const told = askAgainAt(why);
  return told === null ? latest : Math.max(now + 1, Math.min(told, latest));
}

/** Why such an agent need not be asked for now; null when nobody knows of anything. */
export function denialFor(
  { denials = [], now }: Pick<TickFacts, "denials" | "now">,
  { bead, pool }: Pick<PlaceAsked, "bead" | "pool">,
): AdmissionDenial | null {
  const found = denials.find((denied) => denied.until > now && speaksFor(denied, bead, pool));
  return found?.why ?? null;
}

function speaksFor({ asked, why }: Denied, bead: string, pool: string): boolean {
  switch (DENIAL_REACH[why.code]) {
    case "bead":
      return asked.bead === bead && asked.pool === pool;
    // Every bead of a run is its project's.
    case "project":
    case "pool":
      return asked.pool === pool;
    case "machine":
      return true;
  }
}

/** The dispatch, behind the question whether the machine bears another agent where somebody has to be asked. */
export function askFirst(
  facts: Pick<TickFacts, "denials" | "memory">,
  asked: PlaceAsked,
  granted: { readonly effects: readonly Effect[]; readonly memory: TickMemory },
): { readonly effects: readonly Effect[]; readonly memory: TickMemory } {
  if (facts.denials === undefined) return granted;
  return { effects: [{ kind: "admit", asked, granted }], memory: facts.memory };
}
