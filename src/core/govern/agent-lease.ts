import { z } from "zod";
import { ProcessIdentity } from "../model/process-identity.js";

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
  process: z.strictObject(ProcessIdentity.shape).readonly(),
  /** The kinds that its bead's `res:<kind>` labels ask for. */
  resources: z.array(z.string()).readonly(),
  memoryMb: z.number().min(0),
  grantedAt: z.int(),
});
export type AgentLease = Readonly<z.infer<typeof AgentLease>>;
