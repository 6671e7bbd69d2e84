import { plainText } from "../../../lib/plain-text.js";
import { clockText } from "../../../lib/time-text.js";
import type { AdmissionDenial } from "../../govern/admission-denial.js";
import type { LeaseKey } from "../../govern/agent-lease.js";
import type { WaitedFor } from "../../run/plan/waited-for.js";
import { poolTitle } from "../../runtimes/pool-of-agent.js";

/** Holders in a line; the others are counted. */
const MOST_NAMED = 3;

/** Why no agent is started for a bead now, without a full stop. */
export function denialText(denial: AdmissionDenial): string {
  switch (denial.code) {
    case "superseded":
      return `attempt ${denial.attempt} at it is still at work`;
    case "machine_full":
      return `the machine bears ${agentsText(denial.ceiling)}, and has ${holders(denial.by)}`;
    case "breaker_open":
      return `${account(denial.pool)} met its limit again and again, so nothing is started on it until ${clockText(denial.askAgainAt)}`;
    case "probe_running":
      return `one agent tries whether ${account(denial.pool)} takes requests again: ${bead(denial.by)}`;
    case "dispatch_spacing":
      return `agents of ${account(denial.pool)} start a few seconds apart`;
    case "pool_full":
      return `${account(denial.pool)} bears ${agentsText(denial.cap)}, and has ${holders(denial.by)}`;
    case "fair_share":
      return `${account(denial.pool)} is shared by ${denial.sharing.map(plainText).join(" and ")}, and this project has its ${agentsText(denial.share)}`;
    case "resource_at_capacity":
      return denial.by === null
        ? `res:${denial.resource} has no place on this machine`
        : `res:${denial.resource} is held by ${bead(denial.by)}`;
    case "memory_candidate":
      return `it needs ${mb(denial.candidateMb)} of memory, and ${mb(Math.max(0, denial.leftMb))} is to be had`;
    case "memory_floor":
      return `memory is short: ${mb(denial.floorMb)} is to stay free, and ${mb(-denial.leftMb)} of that is taken or promised`;
    case "governor_unavailable":
      return plainText(denial.problem);
  }
}

/** A line of a run's progress, or of its status. */
export function waitsLine({ bead, why }: WaitedFor): string {
  return `${bead === null ? "agents wait" : `${plainText(bead)}  its agent waits`}: ${denialText(why)}`;
}

function bead({ project, bead }: Pick<LeaseKey, "project" | "bead">): string {
  return `${plainText(bead)} of project ${plainText(project)}`;
}

function holders(by: readonly LeaseKey[]): string {
  const named = by.slice(0, MOST_NAMED).map(bead);
  const others = by.length - named.length;
  return [...named, ...(others > 0 ? [`${others} more`] : [])].join(", ") || "none";
}

function account(pool: string): string {
  return `the account of ${plainText(poolTitle(pool))}`;
}

/** How many of them, in words. */
export function agentsText(count: number): string {
  return count === 1 ? "1 agent" : `${count} agents`;
}

function mb(amount: number): string {
  return `${Math.round(amount)} MiB`;
}
