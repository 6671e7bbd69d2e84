import type { JobKind } from "../../model/job-kind.js";
import type { RunChoices } from "../../model/run-choices.js";
import type { LandingClaims } from "../../receipts/landing-claims.js";
import type { Evidence } from "./evidence.js";
import type { RunCost, Spending } from "./fold/fold-spending.js";
import type { RuntimePause } from "./runtime-pause.js";
import type { Slot, SlotStatus } from "./slot.js";
import type { Steering } from "./steering.js";

interface Run {
  id: string;
  /** When it first began, however often it was resumed. */
  startedAt: string;
  mode: "rolling" | "wave";
  engineVersion: string;
  budgetUsd: number | null;
  /** Finished branches are reviewed, also after it was resumed. */
  review: boolean;
  /** What it was started with; empty where an older koryph started it. */
  choices: RunChoices;
  ended: { reason: string; code: number; at: string } | null;
}

export interface Lease {
  /** The event that took it. */
  id: string;
  holder: string;
  host: string;
  ttlSeconds: number;
  /** The event that last confirmed it: an observer's clock starts when it first sees this id. */
  seenAs: string;
}

export interface ControlRequest {
  id: string;
  at: string;
  actor: string;
  request:
    | { verb: "drain" }
    | { verb: "nudge"; bead: string; text: string }
    | { verb: "stop"; bead: string | null; force: boolean }
    | { verb: "inject"; bead: string };
}

/** A place in the landing queue. */
export interface Landing {
  /** The event that asked for it. */
  id: string;
  at: string;
  actor: string;
  bead: string;
  branch: string;
  /** Whether work lands, becomes a pull request, or a pull request lands: that is for people, with or without an engine. */
  kind: "work" | "open-pull" | "land-pull";
  /** The pull request that is to land; null for the other kinds. */
  pull: number | null;
  /** What is to land, in its present form. */
  base: string;
  head: string;
  /** The head that was asked for. */
  asked: string;
  method: "ff" | "squash";
  by: "engine" | "operator";
  allowProtected: boolean;
  /** What the slot goes back to when the landing is refused. */
  before: SlotStatus;
  /** How often the default branch moved meanwhile. */
  moves: number;
  /** What was about to be pushed when last heard of. */
  intended: {
    from: string;
    head: string;
    /** When it was announced, by the clock of whoever did. */
    at?: string | undefined;
    claims?: LandingClaims | undefined;
  } | null;
}

/** A person's word that a pull request may land with exactly this head. */
export interface Approval {
  /** The event that gave it. */
  id: string;
  at: string;
  head: string;
  via: "comment" | "review";
  evidence: Evidence;
}

/** What is known of an open pull request; GitHub knows the rest. */
export interface KnownPull {
  number: number;
  /** At most one of each person. */
  approvals: Approval[];
  /** The last analysis, of exactly this head. */
  analysis: { head: string; verdict: "clean" | "blocking" | "degraded"; findings: number; at: string } | null;
}

/** Work on a pull request that a runner was asked for. */
export interface KnownJob {
  /** The event that asked for it. */
  id: string;
  at: string;
  kind: JobKind;
  pull: number;
  head: string;
  base: string;
  /** What a gate is to run, as receipts name it. */
  commands?: string | undefined;
  /** Null where nobody asked for it but the App itself. */
  evidence: Evidence | null;
  /** Which of the App's asks for it a runner has taken. */
  claimed: number[];
}

/** A comment that a workflow run took to answer it, where the App has no server. */
export interface TakenComment {
  /** `comment 123`. */
  comment: string;
  thread: number;
  user: string;
  /** When it was taken first, and last. */
  at: string;
  takenAt: string;
  /** The workflow run that took it last. */
  run: number;
  attempt: number;
  /** Somebody has taken it before: something may be there already. */
  again: boolean;
  /** Null until it is done with. */
  answer: {
    reply: number | null;
    counts: "yes" | "refused" | "no";
    owed: { job: string; rows: string } | null;
  } | null;
}

/** What workflow runs remember from one to the next, where the App has no server. */
export interface AppRecord {
  /** Older comments are nobody's to answer; null where no such run was. */
  since: string | null;
  /** Older comments may have been taken although they are not among these; null while all of them are remembered. */
  forgotten: string | null;
  /** Oldest first; old ones are forgotten. */
  comments: TakenComment[];
  kept: { key: string; place: number; value: string }[];
}

/** A person's word that a bead is to wait. */
export interface Hold {
  /** The event that placed it. */
  id: string;
  at: string;
  actor: string;
  reason: string;
  /** Null for one that was placed on a machine. */
  evidence: Evidence | null;
}

export interface LedgerState {
  lease: Lease | null;
  /** The newest run; older ones are history, which `koryph log` reads. */
  run: Run | null;
  slots: Record<string, Slot>;
  /** The operator's width for the current run, in place of `--max`. */
  resize: { max: number; force: boolean } | null;
  /** Control requests nobody has acted on yet, oldest first. */
  requests: ControlRequest[];
  /** Landings asked for and not decided yet, oldest first. */
  landings: Landing[];
  /** By bead. */
  holds: Record<string, Hold>;
  /** By number; those that are closed or merged are forgotten. */
  pulls: Record<string, KnownPull>;
  /** What runners were asked for, oldest first; old ones are forgotten. */
  jobs: KnownJob[];
  app: AppRecord;
  /** Runtimes on which nothing is started for now. */
  pauses: RuntimePause[];
  /** What agents have cost here, by runtime and model: `spendingKey`. */
  spent: Record<string, Spending>;
  /** What agents of the newest run have cost, by runtime and model: `spendingKey`. */
  runCosts: Record<string, RunCost>;
  /** Who last said how the run is to go on, oldest first: what they said has its effect elsewhere in this state. */
  steered: Steering[];
  /** A critical event of a type this koryph does not know: from here on it may only read. `needs` is empty where it does not say. */
  readOnly: { type: string; needs: string } | null;
  /** Which chain this is, and how many lines were folded before it began: the earlier ones are archived. */
  chain: { number: number; start: number };
  events: number;
  quarantined: number;
}

/** Changes when folding the same events gives another state; cached snapshots of other versions are dropped. */
export const REDUCER_VERSION = 25;

/** A run that was cut short is, too: somebody may go on with it. */
export function isUnderWay({ run }: Pick<LedgerState, "run">): boolean {
  return run !== null && run.ended === null;
}

export function emptyState(): LedgerState {
  return {
    lease: null,
    run: null,
    // Without a prototype, a bead named like a member of every object is a bead like any other.
    slots: Object.create(null),
    resize: null,
    requests: [],
    landings: [],
    holds: Object.create(null),
    pulls: Object.create(null),
    jobs: [],
    app: { since: null, forgotten: null, comments: [], kept: [] },
    pauses: [],
    spent: Object.create(null),
    runCosts: Object.create(null),
    steered: [],
    readOnly: null,
    chain: { number: 1, start: 0 },
    events: 0,
    quarantined: 0,
  };
}
