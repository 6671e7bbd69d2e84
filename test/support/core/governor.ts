import type { AdmissionRequest } from "../../../src/core/govern/admit.js";
import type { AgentLease } from "../../../src/core/govern/agent-lease.js";
import { type GovernorState, NEW_GOVERNOR } from "../../../src/core/govern/governor-state.js";
import { newPool, type PoolState } from "../../../src/core/govern/pool-state.js";

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
/** A whole minute, so that shares are easy to tell. */
export const NOON = 28_000_000 * MINUTE;

/** An adaptive pool with a cap of 8 that was set up at noon. */
export function adaptivePool(given: Partial<PoolState> = {}): PoolState {
  const { cap = 8 } = given;
  return { ...newPool({ pool: "", adaptive: true, cap, hardMax: null }, NOON), ...given };
}

export function governor(given: Partial<GovernorState> = {}): GovernorState {
  return { ...NEW_GOVERNOR, ...given };
}

/** The pool as the state has it. */
export function poolIn({ pools }: GovernorState, name = ""): PoolState {
  const found = pools.find(({ pool }) => pool === name);
  if (found === undefined) throw new Error(`no pool ${name}`);
  return found;
}

const process = (pid: number) => ({ pid, start: `${pid * 10}`, boot: "boot-1" });

export function lease(given: Partial<AgentLease> = {}): AgentLease {
  return {
    ...{ project: "p", bead: "held", attempt: 1, pool: "" },
    process: process(1),
    folder: "/runs/held",
    resources: [],
    memoryMb: 1536,
    grantedAt: NOON,
    ...given,
  };
}

/** So many leases of one project. */
export function leases(count: number, given: Partial<AgentLease> = {}): AgentLease[] {
  return Array.from({ length: count }, (_, n) =>
    lease({ bead: `held-${n}`, process: process(100 + n), ...given }),
  );
}

/** What a machine with room for it would grant. */
export function request(given: Partial<AdmissionRequest> = {}): AdmissionRequest {
  return {
    ...{ project: "p", bead: "b-1", attempt: 1, pool: "" },
    process: process(7),
    folder: "/runs/b-1",
    resources: [],
    dead: new Set(),
    jitter: 0.5,
    availableMb: null,
    totalMb: null,
    ...given,
  };
}

/** The same value, which throws when anybody changes a part of it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
