import { type AgentLease, type LeaseKey, type LeaseProcess, leaseId } from "./agent-lease.js";
import { clampToNow } from "./clamp-to-now.js";
import type { GovernorState } from "./governor-state.js";
import { agentMemoryMb } from "./memory-admits.js";

/** An agent that runs, or is about to. */
export interface GovernedAgent extends LeaseKey {
  readonly pool: string;
  /** Whose death ends the lease. */
  readonly process: LeaseProcess;
  readonly folder: string;
  readonly resources: readonly string[];
  readonly memoryMb?: number | undefined;
}

/**
 * Ties the lease to the agent's own process. An agent that runs without one gets it unchecked: its place is taken
 * whatever anybody decides. The very same state where there is nothing to change.
 */
export function attach(state: GovernorState, agent: GovernedAgent, now: number): GovernorState {
  const own = state.leases.find(({ project, bead }) => project === agent.project && bead === agent.bead);
  if (own !== undefined && (own.attempt > agent.attempt || leaseId(own) === leaseId(agent))) return state;
  const known = clampToNow(state, now);
  const lease = leaseFor(agent, now);
  if (own === undefined) return { ...known, leases: [...known.leases, lease] };
  const goesOn = own.attempt === agent.attempt;
  const leases = known.leases.map((each) => {
    if (each.project !== agent.project || each.bead !== agent.bead) return each;
    return goesOn ? { ...each, process: lease.process, folder: lease.folder } : lease;
  });
  return { ...known, leases };
}

/** The lease of an agent as of now. */
export function leaseFor(agent: GovernedAgent, now: number): AgentLease {
  const { project, bead, attempt, pool, folder, resources, memoryMb } = agent;
  const { pid, start, boot, space } = agent.process;
  return {
    ...{ project, bead, attempt, pool },
    process: { pid, start, boot, ...(space !== undefined && { space }) },
    folder,
    resources: [...new Set(resources)],
    memoryMb: agentMemoryMb(memoryMb),
    grantedAt: now,
  };
}
