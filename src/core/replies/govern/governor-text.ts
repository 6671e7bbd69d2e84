import { plainText } from "../../../lib/plain-text.js";
import { table } from "../../../lib/table.js";
import { clockText, durationText } from "../../../lib/time-text.js";
import type { AgentLease } from "../../govern/agent-lease.js";
import { openUntil } from "../../govern/breaker.js";
import type { GovernorStanding, PoolStanding } from "../../govern/governor-standing.js";
import { poolTitle } from "../../runtimes/pool-of-agent.js";
import { agentsText } from "./denial-text.js";

/** What the machine has, in MiB; nulls where nobody can tell. */
interface Memory {
  readonly availableMb: number | null;
  readonly totalMb: number | null;
}

/** What `koryph governor show` prints. */
export function governorText(standing: GovernorStanding, memory: Memory, now: number): string[] {
  const { ceiling, leases, pools, capacities, memoryFloorMb } = standing;
  const kinds = Object.entries(capacities);
  const floor = memoryFloorMb === null ? "a share of it stays" : `${memoryFloorMb} MiB stay`;
  const { availableMb } = memory;
  return [
    `machine: ${leases.length} of ${agentsText(ceiling)} at work`,
    `memory: ${availableMb === null ? "nobody can tell how much there is" : `${availableMb} MiB available, ${floor} free`}`,
    ...pools.map(poolLine),
    ...(kinds.length > 0
      ? [`resources: ${kinds.map(([kind, places]) => `${kind}=${places}`).join(", ")}`]
      : []),
    ...(leases.length > 0 ? ["", ...table(leases.map((lease) => leaseCells(lease, now)))] : []),
  ];
}

/** How many agents an account bears, and has. */
export function poolLine(pool: PoolStanding): string {
  const { leases, capNow, adaptive, reportCount } = pool;
  const max = pool.hardMax ?? pool.cap * 2;
  const how = adaptive ? `adaptive, from ${pool.cap}, at most ${max}` : "fixed";
  const limits =
    reportCount === 0 ? "" : `, ${reportCount === 1 ? "1 rate limit" : `${reportCount} rate limits`} so far`;
  return `account ${plainText(poolTitle(pool.pool))}: ${leases.length} of ${capNow} (${how})${limits}${breakerText(pool)}`;
}

function breakerText({ breaker }: PoolStanding): string {
  switch (breaker.state) {
    case "closed":
      return "";
    case "open":
      return `; nothing is started until ${clockText(openUntil(breaker))}`;
    case "half-open":
      return breaker.probe === null
        ? "; the next agent tries whether it takes requests again"
        : `; ${plainText(breaker.probe.bead)} of project ${plainText(breaker.probe.project)} tries whether it takes requests again`;
  }
}

function leaseCells(lease: AgentLease, now: number): string[] {
  const { project, bead, attempt, pool, resources, grantedAt } = lease;
  return [
    `  ${plainText(project)}`,
    plainText(bead),
    `attempt ${attempt}`,
    plainText(poolTitle(pool)),
    `pid ${lease.process.pid}`,
    durationText(now - grantedAt),
    resources.map((kind) => `res:${kind}`).join(" "),
  ];
}

/** A promise to programs, as docs/json.md describes it. */
export function governorJson(standing: GovernorStanding, memory: Memory) {
  const { ceiling, leases, pools, capacities, memoryFloorMb } = standing;
  return {
    ceiling,
    memory: {
      available_mb: memory.availableMb,
      total_mb: memory.totalMb,
      floor_mb: memoryFloorMb,
    },
    resources: capacities,
    pools: pools.map(poolJson),
    leases: leases.map((lease) => ({
      project: lease.project,
      bead: lease.bead,
      attempt: lease.attempt,
      pool: poolTitle(lease.pool),
      pid: lease.process.pid,
      resources: lease.resources,
      memory_mb: lease.memoryMb,
      since: new Date(lease.grantedAt).toISOString(),
    })),
  };
}

export function poolJson(pool: PoolStanding) {
  return {
    pool: poolTitle(pool.pool),
    adaptive: pool.adaptive,
    cap: pool.cap,
    hard_max: pool.hardMax,
    cap_now: pool.capNow,
    at_work: pool.leases.length,
    rate_limits: pool.reportCount,
    breaker: pool.breaker.state,
    open_until: pool.breaker.state === "open" ? new Date(openUntil(pool.breaker)).toISOString() : null,
    wanted_by: pool.demand,
  };
}
