import { z } from "zod";
import { AgentLease } from "./agent-lease.js";
import { newPool, PoolState } from "./pool-state.js";

const GOVERNOR_DEFAULTS = { ceiling: 8, poolCap: 8 } as const;

/** The account's pool that others take their cap from. */
const USUAL_POOL = "";

/** What one machine knows of the agents on it, whichever engine started them. Times are in ms. */
export const GovernorState = z.strictObject({
  schema_version: z.literal(1),
  /** How many agents the machine bears, over all pools. */
  ceiling: z.int().min(1),
  /** Resource kind to how many agents may hold it at once. A kind that is not listed has one place. */
  capacities: z.record(z.string(), z.int().min(0)),
  /** What is to stay free, in MiB; null for a share of the machine's memory. */
  memoryFloorMb: z.number().min(0).nullable(),
  pools: z.array(PoolState).readonly(),
  /** In the order in which their beads came by them. */
  leases: z.array(AgentLease).readonly(),
  /** When each project last asked for a place. */
  demand: z.array(z.strictObject({ pool: z.string(), project: z.string(), at: z.int() })).readonly(),
});
export type GovernorState = Readonly<z.infer<typeof GovernorState>>;

/** A machine on which nothing was ever started or set. */
export const NEW_GOVERNOR: GovernorState = {
  schema_version: 1,
  ceiling: GOVERNOR_DEFAULTS.ceiling,
  capacities: {},
  memoryFloorMb: null,
  pools: [],
  leases: [],
  demand: [],
};

/** The pool of that name; one that nobody has set up is not adaptive and has the usual pool's cap. */
export function poolOf({ pools }: Pick<GovernorState, "pools">, name: string, now: number): PoolState {
  const known = pools.find(({ pool }) => pool === name);
  return known ?? newPool({ pool: name, adaptive: false, cap: usualCap(pools), hardMax: null }, now);
}

/** The cap of a pool that has none of its own. */
export function usualCap(pools: readonly PoolState[]): number {
  return pools.find(({ pool }) => pool === USUAL_POOL)?.cap ?? GOVERNOR_DEFAULTS.poolCap;
}

/** The state with the pool as it is now. */
export function withPool(state: GovernorState, pool: PoolState): GovernorState {
  const known = state.pools.some((each) => each.pool === pool.pool);
  const pools = known
    ? state.pools.map((each) => (each.pool === pool.pool ? pool : each))
    : [...state.pools, pool];
  return { ...state, pools };
}
