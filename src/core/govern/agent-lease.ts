import { z } from "zod";
import { ProcessIdentity } from "../model/process-identity.js";

/** Whose death ends a lease. */
export const LeaseProcess = z.strictObject({
  ...ProcessIdentity.shape,
  /** The pid namespace that it is counted in; absent for the machine's own, where no container is around it. */
  space: z.string().min(1).max(100).optional(),
});
export type LeaseProcess = Readonly<z.infer<typeof LeaseProcess>>;

/** What a lease is asked for and given back by. */
export const LeaseKey = z.strictObject({
  project: z.string().min(1),
  bead: z.string().min(1),
  attempt: z.int().min(0),
});
export type LeaseKey = Readonly<z.infer<typeof LeaseKey>>;

/**
 * One agent's place on the machine and in its account's pool. A bead has one at a time.
 *
 * | state | entered by                              | left by                                 | ignores                   |
 * |-------|-----------------------------------------|-----------------------------------------|---------------------------|
 * | none  | release of the attempt; prune: its      | admit, where no check denies it         | release, prune            |
 * |       | process is dead, or it is a day old     |                                         |                           |
 * | held  | admit; then unchecked, in the same pool | those; admit to another pool or further | release of other attempts |
 * |       | and for no further resource, admit of   | resources, where no check denies it     | an earlier one's admit is |
 * |       | the same or a later attempt             |                                         | denied                    |
 */
export const AgentLease = z.strictObject({
  ...LeaseKey.shape,
  pool: z.string(),
  /** Whose death ends it: the agent's process; before there is one, the engine's. */
  process: LeaseProcess.readonly(),
  /** Where the agent's process signs in: between its start and the next look, only this tells that it lives. */
  folder: z.string(),
  /** The kinds that its bead's `res:<kind>` labels ask for. */
  resources: z.array(z.string()).readonly(),
  memoryMb: z.number().min(0),
  grantedAt: z.int(),
});
export type AgentLease = Readonly<z.infer<typeof AgentLease>>;

const LEASE_TIMES = { longestMs: 24 * 3600 * 1000 } as const;

/** Names a lease as one process holds it, so that news of an earlier process' death does not end it. */
export function leaseId(lease: LeaseKey & Pick<AgentLease, "process">): string {
  const { boot, pid, start } = lease.process;
  return [lease.project, lease.bead, lease.attempt, boot, pid, start].join("/");
}

/** Whether nothing can be left of the agent: its process is known to be dead, or nobody could work for so long. */
export function hasEnded(lease: AgentLease, dead: ReadonlySet<string>, now: number): boolean {
  return isOverdue(lease, now) || dead.has(leaseId(lease));
}

/** Whether it is a day old. */
export function isOverdue({ grantedAt }: AgentLease, now: number): boolean {
  return now - grantedAt >= LEASE_TIMES.longestMs;
}
