import { accountAt } from "../../govern/account-pin.js";
import { type AdmissionDenial, askAgainAt, DENIAL_REACH } from "../../govern/admission-denial.js";
import type { AccountMark } from "../../govern/verify-identity.js";
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
  readonly asked: Pick<PlaceAsked, "bead" | "pool" | "resources">;
  readonly why: AdmissionDenial;
  /** When it is worth asking again, in ms. */
  readonly until: number;
}

interface PlacedAgent {
  readonly bead: string;
  readonly attempt: number;
  readonly runtime: string;
  readonly resources: readonly string[];
}

/** The place of an agent that was dispatched: on the account that is on record. */
export function placeFor({
  bead,
  attempt,
  runtime,
  resources,
  account,
}: PlacedAgent & { readonly account?: AccountMark | null | undefined }): PlaceAsked {
  const pool = poolOfAgent({ runtime, profile: account?.fingerprint ?? null });
  return { bead, attempt, pool, resources };
}

/** The place of an agent that is to be dispatched: on the account that was found just now. */
export function nextPlace({ accounts }: Pick<TickFacts, "accounts">, agent: PlacedAgent): PlaceAsked {
  return placeFor({ ...agent, account: accounts && accountAt(accounts, agent.runtime) });
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
  asked: Pick<PlaceAsked, "bead" | "pool" | "resources">,
): AdmissionDenial | null {
  const found = denials.find((denied) => denied.until > now && speaksFor(denied, asked));
  return found?.why ?? null;
}

function speaksFor({ asked, why }: Denied, other: Denied["asked"]): boolean {
  switch (DENIAL_REACH[why.code]) {
    case "bead":
      return (asked.bead === other.bead && asked.pool === other.pool) || isShortOfSame(why, asked, other);
    // Every bead of a run is its project's.
    case "project":
    case "pool":
      return asked.pool === other.pool;
    case "machine":
      return true;
  }
}

/** A backlog of beads that want the one GPU is asked for once. How large an agent is depends on its resources alone. */
function isShortOfSame(why: AdmissionDenial, asked: Denied["asked"], other: Denied["asked"]): boolean {
  if (why.code === "resource_at_capacity") return other.resources.includes(why.resource);
  return why.code === "memory_candidate" && asked.resources.join() === other.resources.join();
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
