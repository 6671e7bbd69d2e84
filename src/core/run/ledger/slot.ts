import type { ContainedMark } from "../../contain/containment.js";
import type { AccountMark } from "../../govern/verify-identity.js";
import type { LandResult } from "../../land/refusal.js";
import type { WorkFlag } from "../../land/work-flag.js";
import type { ProcessIdentity } from "../../model/process-identity.js";
import type { Release } from "../../model/release.js";
import type { TokenCounts } from "../../model/token-counts.js";
import type { MergePolicy } from "../../route/merge-policy.js";
import type { Footprint } from "../../schedule/footprint.js";

/**
 * A slot is one bead's way through the engine. An attempt is one agent process; its task says what it is for:
 * implementing, a stage of the pipeline, or the review.
 *
 * | status        | entered by                          | left by                                                |
 * |---------------|-------------------------------------|--------------------------------------------------------|
 * | queued        | slot.queued, control.retry          | slot.dispatching, slot.blocked, slot.dropped           |
 * | dispatching   | slot.dispatching                    | slot.started, slot.ended, slot.queued, …               |
 * | running       | slot.started                        | slot.ended                                             |
 * | ended         | slot.ended                          | slot.passed, slot.queued, slot.blocked                 |
 * | passed        | slot.passed                         | slot.queued (next task), slot.finished, land.requested |
 * | landing       | land.requested, pull.requested, …   | land.landed, land.refused, pull.opened                 |
 * | refused       | slot.refused, or land.refused       | slot.queued, slot.blocked, land.requested              |
 * | pr-opened     | pull.opened, pull.reopened          | pull.landing, pull.merged, pull.closed                 |
 * | merge-pending | slot.finished                       | land.requested, control.retry                          |
 * | merged        | land.landed, pull.merged            | a new slot.dispatching only                            |
 * | blocked       | slot.blocked, pull.closed           | control.retry, land.requested, pull.reopened           |
 * | conflict      | slot.blocked (status conflict)      | control.retry, a new slot.dispatching                  |
 *
 * slot.accepted, slot.checked and slot.reviewed add to a passed slot what was found and leave its status alone. A
 * refused landing that a person asked for puts the slot back to where it was.
 * An event of an attempt that is not the slot's current one changes nothing, so a late or repeated
 * observation of an agent long gone does no harm.
 */
export const SLOT_STATUSES = [
  "queued",
  "dispatching",
  "running",
  "ended",
  "passed",
  "landing",
  "refused",
  "pr-opened",
  "merge-pending",
  "merged",
  "blocked",
  "conflict",
] as const;
export type SlotStatus = (typeof SLOT_STATUSES)[number];

/** A stage or the review: what is decided about its agent. */
export interface Stage {
  task: string;
  model: string;
  modelWhy: string;
  timeoutSeconds: number;
  estimateUsd: number;
  optional: boolean;
}

/** How often each kind of setback befell the bead. */
export interface Setbacks {
  gate: number;
  conflict: number;
  style: number;
  bounce: number;
  error: number;
}

export interface Slot {
  bead: string;
  /** The run that moves the slot, and the one whose folder holds the current attempt's files. */
  run: string;
  dispatchedBy: string;
  title: string;
  status: SlotStatus;
  /** Counts agents, whatever they are for: it names the attempt's files. */
  attempt: number;
  /** Counts those that were to implement the bead, as people count attempts. */
  tries: number;
  /** What the current attempt is for, or the next one of a queued slot. */
  task: string;
  /** The stages that follow the implementing, in order, under the name that ledgers keep them by. */
  asides: Stage[];
  /** Tasks that were passed since the last implementing. */
  passed: string[];
  /** What the engine made of the agent's commits; null until they were accepted. */
  candidate: { branch: string; from: string; base: string; head: string } | null;
  /** The head of the candidate that was checked before its review; null when none was. */
  checked: string | null;
  /** The last review, of exactly this head. */
  review: {
    head: string;
    verdict: "clean" | "blocking" | "degraded";
    note: string;
    /** How each acceptance criterion was judged; absent where that is not known. */
    criteria?: { id: string; status: string }[] | undefined;
  } | null;
  /** What the next agent has to read, and the attempt it lies with. */
  report: { kind: "review" | "gate" | "style" | "conflict"; run: string; attempt: number } | null;
  setbacks: Setbacks;
  /** Why the last request to land was turned down. Of the engine's own, the tick decides what follows. */
  refusal: { result: LandResult; code: string; detail: string } | null;
  /** The pull request that carries the work; null until one was opened. */
  pull: { number: number; url: string } | null;
  /** What koryph has put on the bead's branch on GitHub, oldest first: anything else there is somebody else's. */
  branchHeads: string[];
  /** The commit of the default branch that has the work; null until it landed. */
  landed: string | null;
  /** Where the default branch was before; null until it landed, and for events folded before it was kept. */
  landedFrom: string | null;
  /** Closed and tidied up after the landing. */
  settled: boolean;
  /** How the next attempt starts, or the current one started. */
  start: "fresh" | "resume";
  footprint: Footprint;
  /** What its `area:` labels named; absent where there were none. */
  areas?: readonly string[] | undefined;
  resources: readonly string[];
  runtime: string;
  model: string;
  modelWhy: string;
  /** What was decided first, while a stronger model tries it; else null. */
  insteadOf: { model: string; modelWhy: string; estimateUsd: number } | null;
  /** Who released its text to agents, and which text; absent where the tracker knows no releases. */
  release?: Release;
  /** Whose account the current attempt works on; absent where nothing was pinned. */
  account?: AccountMark | undefined;
  /** What shuts the current agent in; `missing` also where it goes on with work of one that nothing did. */
  contained?: ContainedMark | undefined;
  /** What a person should look at in the accepted commits; absent where there is nothing. */
  flags?: WorkFlag[] | undefined;
  mergePolicy: MergePolicy;
  riskTier: number;
  timeoutSeconds: number;
  estimateUsd: number;
  /** Settled cost of all ended attempts. */
  costUsd: number;
  costKnown: boolean;
  /** The part of it that was spent in the current session: some runtimes go on counting from there. */
  sessionCostUsd: number;
  /** What was read and written in the current session, for the same; null where nobody knows. */
  sessionTokens: TokenCounts | null;
  session: string | null;
  process: ProcessIdentity | null;
  commits: number;
  head: string | null;
  /** Commit of the default branch that the head was made on: that branch may have been taken back since. */
  began: string | null;
  /** The last attempt left changes that are in no commit. */
  uncommitted: boolean;
  /** How often the agents of the current task died. What the provider or the installation did to them is no death. */
  deaths: number;
  notBefore: number;
  /** A stop was decided for the current attempt; written before any signal was sent. */
  stopping: { why: string; force: boolean } | null;
  outcome: string | null;
  /** How the attempt before this one ended. */
  lastEnd: string;
  note: string;
  /** Which sentence the note is; null for the words of others, and for events from before it was kept. */
  noteCode: string | null;
  at: string;
}
