import type { MergePolicy } from "../route/merge-policy.js";
import type { Footprint } from "../schedule/footprint.js";
import type { ProcessIdentity } from "./ledger-event.js";

/**
 * A slot is one bead's way through the engine:
 *
 * | status        | entered by                       | left by                                       |
 * |---------------|----------------------------------|-----------------------------------------------|
 * | queued        | slot.queued, control.retry       | slot.dispatching, slot.blocked, slot.dropped  |
 * | dispatching   | slot.dispatching                 | slot.started, slot.ended, slot.queued, …      |
 * | running       | slot.started                     | slot.ended                                    |
 * | ended         | slot.ended                       | slot.finished, slot.queued, slot.blocked      |
 * | merge-pending | slot.finished                    | a new slot.dispatching only                   |
 * | blocked       | slot.blocked                     | control.retry                                 |
 *
 * An event of an attempt that is not the slot's current one changes nothing, so a late or repeated
 * observation of an agent long gone does no harm.
 */
export type SlotStatus = "queued" | "dispatching" | "running" | "ended" | "merge-pending" | "blocked";

export interface Slot {
  bead: string;
  /** The run that moves the slot, and the one whose folder holds the current attempt's files. */
  run: string;
  dispatchedBy: string;
  title: string;
  status: SlotStatus;
  attempt: number;
  /** How the next attempt starts, or the current one started. */
  start: "fresh" | "resume";
  footprint: Footprint;
  resources: readonly string[];
  runtime: string;
  model: string;
  modelWhy: string;
  mergePolicy: MergePolicy;
  riskTier: number;
  timeoutSeconds: number;
  estimateUsd: number;
  /** Settled cost of all ended attempts. */
  costUsd: number;
  costKnown: boolean;
  /** The part of it that was spent in the current session: some runtimes go on counting from there. */
  sessionCostUsd: number;
  session: string | null;
  process: ProcessIdentity | null;
  commits: number;
  head: string | null;
  /** How often the bead's agents died, and how often a rate limit ended them. */
  deaths: number;
  limits: number;
  notBefore: number;
  /** A stop was decided for the current attempt; written before any signal was sent. */
  stopping: { why: string; force: boolean } | null;
  outcome: string | null;
  /** How the attempt before this one ended. */
  lastEnd: string;
  note: string;
  at: string;
}
