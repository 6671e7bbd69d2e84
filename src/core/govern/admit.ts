import { type AdmissionWish, findDenial } from "./admission-checks.js";
import type { AdmissionDenial } from "./admission-denial.js";
import {
  type AgentLease,
  hasEnded,
  isOverdue,
  type LeaseKey,
  type LeaseProcess,
  leaseId,
} from "./agent-lease.js";
import { leaseFor } from "./attach.js";
import { clampToNow } from "./clamp-to-now.js";
import { spacingGapMs } from "./dispatch-spacing.js";
import { advancePool } from "./effective-cap.js";
import { type GovernorState, poolOf, withPool } from "./governor-state.js";
import type { PoolState } from "./pool-state.js";
import { prune, withoutLeases } from "./release.js";

const DEMAND = { lastsMs: 600_000 } as const;

export interface AdmissionRequest extends LeaseKey, AdmissionWish {
  readonly pool: string;
  /** Whose death ends the lease. */
  readonly process: LeaseProcess;
  /** Where the agent's own process is going to sign in. */
  readonly folder: string;
  /** Leases whose process is known to be gone, by `leaseId`. */
  readonly dead: ReadonlySet<string>;
  /** From 0 to 1, drawn anew for each request. */
  readonly jitter: number;
}

/** Either way the state is the one to keep: leases were pruned, and the project's demand noted. */
export type Admission =
  | { readonly kind: "granted"; readonly state: GovernorState; readonly lease: AgentLease }
  | { readonly kind: "denied"; readonly state: GovernorState; readonly why: AdmissionDenial };

/**
 * Whether an agent may be started. A bead that has a lease in the pool goes on with it unchecked, whether it asks again,
 * resumes or is tried again in place of an agent that died: one goes, one comes.
 */
export function admit(state: GovernorState, request: AdmissionRequest, now: number): Admission {
  const known = clampToNow(state, now);
  const own = known.leases.find((lease) => isSameBead(lease, request));
  if (own !== undefined && continues(own, request, now)) {
    const dead = new Set([...request.dead].filter((id) => id !== leaseId(own)));
    return reattached(prune(known, dead, now), own, request, now);
  }
  const pruned = prune(known, request.dead, now);
  if (own !== undefined && own.attempt > request.attempt && !hasEnded(own, request.dead, now))
    return { kind: "denied", state: pruned, why: { code: "superseded", attempt: own.attempt } };

  const asked = withDemand(
    withPool(pruned, advancePool(poolOf(pruned, request.pool, now), now)),
    request,
    now,
  );
  // A lease elsewhere, or for less, is given up for this one, and only then.
  const given = asked.leases.filter((lease) => isSameBead(lease, request));
  const left = withoutLeases(asked, given, "failed", now);
  const pool = poolOf(left, request.pool, now);
  const why = findDenial({ state: left, pool, wish: request, now });
  if (why !== null) return { kind: "denied", state: asked, why };
  const lease = leaseFor(request, now);
  const admitted = withPool(left, afterAdmission(pool, request, now));
  return { kind: "granted", state: { ...admitted, leases: [...left.leases, lease] }, lease };
}

function isSameBead(lease: AgentLease, { project, bead }: AdmissionRequest): boolean {
  return lease.project === project && lease.bead === bead;
}

/** What its lease does not cover has to be asked for anew. */
function continues(own: AgentLease, { pool, attempt, resources }: AdmissionRequest, now: number): boolean {
  if (own.pool !== pool || own.attempt > attempt || isOverdue(own, now)) return false;
  return resources.every((kind) => own.resources.includes(kind));
}

/** The lease keeps its place among the others: its bead has held what it holds since then. */
function reattached(
  state: GovernorState,
  own: AgentLease,
  request: AdmissionRequest,
  now: number,
): Admission {
  const lease = leaseId(own) === leaseId(request) ? own : leaseFor(request, now);
  const leases = state.leases.map((each) => (isSameBead(each, request) ? lease : each));
  return { kind: "granted", state: { ...state, leases }, lease };
}

function afterAdmission(
  pool: PoolState,
  { project, bead, jitter }: AdmissionRequest,
  now: number,
): PoolState {
  const { breaker } = pool;
  return {
    ...pool,
    lastAdmission: { at: now, gapMs: spacingGapMs(jitter) },
    breaker: breaker.state === "half-open" ? { ...breaker, probe: { project, bead, since: now } } : breaker,
  };
}

/** Whoever has not asked for ten minutes has no work. */
function withDemand(state: GovernorState, { pool, project }: AdmissionRequest, now: number): GovernorState {
  const others = state.demand.filter(
    (each) => now - each.at < DEMAND.lastsMs && !(each.pool === pool && each.project === project),
  );
  return { ...state, demand: [...others, { pool, project, at: now }] };
}
