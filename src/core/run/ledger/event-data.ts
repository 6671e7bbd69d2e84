import { z } from "zod";
import { CONTAINED_MARKS } from "../../contain/containment.js";
import { AccountMark } from "../../govern/verify-identity.js";
import { LAND_RESULTS } from "../../land/refusal.js";
import { WorkFlags } from "../../land/work-flag.js";
import { KeptCode, KeptFacts } from "../../model/kept-facts.js";
import { lateObject } from "../../model/late-object.js";
import { asPauseKind } from "../../model/pause-kind.js";
import { ProcessIdentity } from "../../model/process-identity.js";
import { RunChoices } from "../../model/run-choices.js";
import { LandingClaims } from "../../receipts/landing-claims.js";
import { MERGE_POLICIES } from "../../route/merge-policy.js";
import { APP_EVENTS } from "./app-events.js";
import { CarriedState } from "./carried-state.js";
import { JOB_EVENTS } from "./job-events.js";
import { REDUCER_VERSION } from "./ledger-state.js";
import { PULL_EVENTS } from "./pull-events.js";

/**
 * What the ledger holds, one event per line. Unknown fields in `data` are kept on disk and ignored here;
 * a field that is missing or wrong sends the event to quarantine, where it changes nothing.
 */
const Tokens = z.array(z.string());
const Footprint = z.object({ reads: Tokens, writes: Tokens });

const Areas = Tokens.max(100).optional().catch(undefined);

const tokens = z.number().min(0).max(1e15);
const Usage = z.object({
  cost_usd: z.number().min(0).max(1e9),
  /** Not known means that the cost is an estimate. */
  cost_known: z.boolean(),
  /** The runtime's own counters are in it, so a session that goes on goes on from here; as known unless told. */
  counted: z.boolean().optional(),
  /** What was read and written, and how much of it from and to a cache; absent where nobody knows. */
  tokens: z
    .object({ input: tokens, output: tokens, cache_read: tokens, cache_write: tokens })
    .optional()
    .catch(undefined),
});

/** A commit, whatever hash the repository uses. */
const Sha = z.string().regex(/^[0-9a-f]{40,64}$/);

/** `implement`, `stage:<name>` or `review`: what the agent of an attempt is for. */
const Task = z.string().regex(/^(implement|review|stage:[a-z][a-z0-9-]*)$/);

/** What follows the implementing, decided with the dispatch and kept from then on. */
const Stage = z.object({
  task: Task,
  model: z.string(),
  model_why: z.string(),
  timeout_seconds: z.number().positive().max(2_592_000),
  estimate_usd: z.number().min(0).max(1e9),
  /** The bead goes on without it. */
  optional: z.boolean(),
});

/** The reason of an event for programs, beside its sentence. */
const Reason = { code: KeptCode, data: KeptFacts };

const JudgedCriteria = z.array(z.object({ id: z.string().max(40), status: z.string().max(40) })).max(1_000);

/** Why a branch cannot land as it is. */
const Refusal = {
  result: z.enum(LAND_RESULTS).exclude(["merged"]),
  /** For an error: which one; empty otherwise. */
  code: z.string(),
  detail: z.string(),
  data: KeptFacts,
};

/** What a queued slot's counter is for: each kind of setback has a limit of its own. Nothing counts limits any more. */
export const SETBACKS = ["death", "limit", "gate", "conflict", "style", "bounce", "error", "none"] as const;

export const EVENT_DATA = {
  "lease.claimed": lateObject(() => ({
    holder: z.string(),
    host: z.string(),
    ttl_seconds: z.number().positive().max(86_400),
  })),
  "lease.renewed": lateObject(() => ({ holder: z.string() })),
  "lease.released": lateObject(() => ({ holder: z.string() })),

  "run.started": lateObject(() => ({
    mode: z.enum(["rolling", "wave"]),
    engine_version: z.string(),
    budget_usd: z.number().nullable(),
    resumed: z.boolean(),
    /** Whether finished branches are reviewed; a run that is resumed keeps to it. */
    review: z.boolean().default(false),
    /** What it keeps to, also when it is resumed. */
    choices: RunChoices.optional(),
  })),
  "run.ended": lateObject(() => ({ reason: z.string(), code: z.int() })),
  /** A check run is about to be made on this commit: whoever comes after a lost runner looks for it there. */
  "run.reporting": lateObject(() => ({ head: Sha })),
  /** A check run on GitHub shows the run; whoever comes after a lost runner ends it. */
  "run.reported": lateObject(() => ({ check: z.int().min(1), head: Sha, open: z.boolean() })),

  "slot.dispatching": lateObject(() => ({
    attempt: z.int().min(1).max(1_000_000),
    title: z.string(),
    footprint: Footprint,
    resources: Tokens,
    runtime: z.string(),
    model: z.string(),
    model_why: z.string(),
    merge_policy: z.enum(MERGE_POLICIES),
    risk_tier: z.int(),
    timeout_seconds: z.number().positive().max(2_592_000),
    estimate_usd: z.number().min(0).max(1e9),
    /** Fresh starts from the default branch; resume goes on with the commits and the session there are. */
    start: z.enum(["fresh", "resume"]),
    session: z.string().nullable(),
    task: Task.default("implement"),
    asides: z.array(Stage).max(64).default([]),
    /** The areas that its labels named; absent where there were none, and in events from before they were kept. */
    areas: Areas,
    /** Who released the bead's text to agents, and which text; absent where the tracker knows no releases. */
    release: z.object({ by: z.string(), at: z.string(), text: z.string() }).optional(),
    /** A stronger model tries what this one could not do; absent where the model is the one that was decided first. */
    instead_of: z
      .object({ model: z.string(), model_why: z.string(), estimate_usd: z.number().min(0).max(1e9) })
      .optional(),
    /** Whose account the agent works on, by fingerprint; absent where nothing is pinned. A mode of later on is left out. */
    account: AccountMark.optional().catch(undefined),
    /** What shuts its agent in; absent where nobody looked. */
    contained: z.enum(CONTAINED_MARKS).optional().catch(undefined),
  })),
  "slot.started": lateObject(() => ({ attempt: z.int(), process: ProcessIdentity })),
  "slot.stopping": lateObject(() => ({ attempt: z.int(), why: z.string(), force: z.boolean(), ...Reason })),
  "slot.ended": lateObject(() => ({
    attempt: z.int(),
    outcome: z.string(),
    detail: z.string(),
    session: z.string().nullable(),
    usage: Usage,
    commits: z.int().min(0),
    head: z.string().nullable(),
    /** What the head stands on; events from before it was kept have none. */
    began: z.string().nullish(),
    /** There were changes besides; events from before it was kept tell of none. */
    uncommitted: z.boolean().optional(),
    ...Reason,
  })),
  "slot.queued": lateObject(() => ({
    reason: z.string(),
    counts: z.enum(SETBACKS),
    start: z.enum(["fresh", "resume"]),
    /** As far as dates go. */
    not_before: z.number().min(-8.64e15).max(8.64e15),
    task: Task.default("implement"),
    /** What the next agent is to read: the report of that kind that lies with the attempt it is about. */
    report: z.enum(["review", "gate", "style", "conflict"]).nullable().default(null),
    ...Reason,
  })),
  /** The attempt did what it was for; the engine goes on from here. */
  "slot.passed": lateObject(() => ({ attempt: z.int(), note: z.string(), ...Reason })),
  /** The agent's commits became a candidate: signed where there is a key, and not to be changed by agents any more. */
  "slot.accepted": lateObject(() => ({
    branch: z.string(),
    from: Sha,
    base: Sha,
    head: Sha,
    commits: z.int().min(1),
    /** What a person should look at; absent where there is nothing, and in events from before it was looked for. */
    flags: WorkFlags,
  })),
  /** Nothing that can be found without a model speaks against the candidate, in this form. */
  "slot.checked": lateObject(() => ({ base: Sha, head: Sha })),
  /** Something does, so that nobody need review it. */
  "slot.refused": lateObject(() => Refusal),
  "slot.reviewed": lateObject(() => ({
    attempt: z.int(),
    head: Sha,
    verdict: z.enum(["clean", "blocking", "degraded"]),
    /** Counts, never the reviewer's words: the ledger is as public as the repository. */
    note: z.string(),
    /** By the names that koryph gave them; events from before they were kept have none. */
    criteria: JudgedCriteria.optional().catch(undefined),
    ...Reason,
  })),
  "slot.finished": lateObject(() => ({
    status: z.literal("merge-pending"),
    head: z.string(),
    commits: z.int(),
    note: z.string().default(""),
    ...Reason,
  })),
  "slot.blocked": lateObject(() => ({
    reason: z.string(),
    status: z.enum(["blocked", "conflict"]).default("blocked"),
    ...Reason,
  })),
  /** A resumed run takes over what an older one left. */
  "slot.adopted": lateObject(() => ({ from: z.string() })),
  /** The slot never came to be: somebody else took the bead, or it was closed meanwhile. */
  "slot.dropped": lateObject(() => ({ reason: z.string(), ...Reason })),

  /** From here on no agent is started on the runtime, whichever bead it is for; the bead is the one that met it. */
  "runtime.paused": lateObject(() => ({
    runtime: z.string().max(200),
    /** Only this model of it. */
    model: z.string().max(200).nullable().default(null),
    kind: z.string().transform(asPauseKind),
    /** As far as dates go; null when it does not pass by itself. */
    until: z.number().min(-8.64e15).max(8.64e15).nullable(),
    times: z.int().min(1).max(1_000_000),
    detail: z.string(),
  })),
  /** The provider was seen to answer. */
  "runtime.resumed": lateObject(() => ({
    runtime: z.string().max(200),
    model: z.string().max(200).nullable().default(null),
  })),

  "land.requested": lateObject(() => ({
    branch: z.string(),
    /** The agents' commit that it was made from; what is not that is not given up after the landing. */
    from: Sha.optional(),
    base: Sha,
    head: Sha,
    method: z.enum(["ff", "squash"]),
    /** Who goes on after a refusal: the engine tries again, a person is told. */
    by: z.enum(["engine", "operator"]),
    allow_protected: z.boolean(),
    /** For the record: only the process that the person asked goes by it. */
    allow_secrets: z.boolean().optional(),
  })),
  /** The candidate in another form: replayed on a default branch that had moved, or squashed. */
  "land.rebased": lateObject(() => ({ request: z.string(), base: Sha, head: Sha, moved: z.boolean() })),
  /** Where base and ledger cannot move together: what is about to be pushed. Whether it was shows in the base. */
  "land.intended": lateObject(() => ({
    request: z.string(),
    from: Sha,
    head: Sha,
    /** For whoever writes the receipt after a crash. What cannot be read must not cost the intention itself. */
    claims: LandingClaims.optional().catch(undefined),
  })),
  "land.landed": lateObject(() => ({
    request: z.string(),
    from: Sha,
    head: Sha,
    /** Its commit in the chain of receipts; none for what koryph did not push. */
    receipt: Sha.optional(),
    /** The head that people approved, where it is another one and their approval was carried over. */
    approved: Sha.optional(),
  })),
  "land.refused": lateObject(() => ({
    request: z.string(),
    ...Refusal,
  })),
  /** Bead closed, clone and branches gone. */
  "land.settled": lateObject(() => ({})),

  ...PULL_EVENTS,

  ...JOB_EVENTS,

  ...APP_EVENTS,

  /** From here on no new attempt at the bead is started and nothing of it lands; agents at work go on. */
  "hold.placed": lateObject(() => ({ reason: z.string() })),
  "hold.lifted": lateObject(() => ({})),

  "control.drain": lateObject(() => ({})),
  "control.resize": lateObject(() => ({ max: z.int().min(1).nullable(), force: z.boolean() })),
  "control.nudge": lateObject(() => ({ text: z.string() })),
  "control.stop": lateObject(() => ({ force: z.boolean() })),
  "control.retry": lateObject(() => ({})),
  "control.inject": lateObject(() => ({})),
  /** Somebody pressed a button of a run's check run and was refused: the check run says so. The run stands in the data, as what people ask for is no word of an engine's. */
  "control.refused": lateObject(() => ({
    run: z.string(),
    verb: z.enum(["drain", "retry", "stop"]),
    code: z.string(),
    said: z.string(),
  })),
  "control.consumed": lateObject(() => ({ request: z.string(), note: z.string(), ...Reason })),

  /** The first event of a chain that goes on where another ended. */
  "ledger.rolled": lateObject(() => ({
    number: z.int().min(2),
    /** The last commit of the chain before; archived unless that chain was purged. */
    previous: Sha,
    reducer: z.int().max(REDUCER_VERSION),
    state: CarriedState,
    /** A purged chain cannot be fetched any more, so its last commits and events are named here. */
    purge: z.object({ dropped: Tokens, commits: Tokens, ids: Tokens }).nullable(),
  })),
} as const;

export type EventType = keyof typeof EVENT_DATA;
export type EventData<T extends EventType> = z.infer<(typeof EVENT_DATA)[T]>;
