import { z } from "zod";
import { CONTAINED_MARKS } from "../../contain/containment.js";
import { AccountMark } from "../../govern/verify-identity.js";
import { LAND_RESULTS } from "../../land/refusal.js";
import { WorkFlags } from "../../land/work-flag.js";
import { JOB_KINDS } from "../../model/job-kind.js";
import { lateObject } from "../../model/late-object.js";
import { PAUSE_KINDS } from "../../model/pause-kind.js";
import { RunChoices } from "../../model/run-choices.js";
import type { TokenCounts } from "../../model/token-counts.js";
import { LandingClaims } from "../../receipts/landing-claims.js";
import { MERGE_POLICIES } from "../../route/merge-policy.js";
import { Evidence } from "./evidence.js";
import type {
  AppRecord,
  ControlRequest,
  Hold,
  KnownJob,
  KnownPull,
  Landing,
  LedgerState,
} from "./ledger-state.js";
import type { RuntimePause } from "./runtime-pause.js";
import { SLOT_STATUSES, type Slot } from "./slot.js";
import type { Steering } from "./steering.js";

/** The state a rolled ledger starts from. It is read from the remote, so nothing about it is taken on trust. */
const Tokens = z.array(z.string());

const CarriedTokens = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
}) satisfies z.ZodType<TokenCounts>;

const SlotFields = lateObject(() => ({
  bead: z.string(),
  run: z.string(),
  dispatchedBy: z.string(),
  title: z.string(),
  status: z.enum(SLOT_STATUSES),
  attempt: z.int(),
  tries: z.int().optional(),
  task: z.string().default("implement"),
  asides: z
    .array(
      z.object({
        task: z.string(),
        model: z.string(),
        modelWhy: z.string(),
        timeoutSeconds: z.number(),
        estimateUsd: z.number(),
        optional: z.boolean(),
      }),
    )
    .default([]),
  passed: Tokens.default([]),
  candidate: z
    .object({ branch: z.string(), from: z.string(), base: z.string(), head: z.string() })
    .nullable()
    .default(null),
  checked: z.string().nullable().default(null),
  review: z
    .object({
      head: z.string(),
      verdict: z.enum(["clean", "blocking", "degraded"]),
      note: z.string(),
      criteria: z.array(z.object({ id: z.string(), status: z.string() })).optional(),
    })
    .nullable()
    .default(null),
  report: z
    .object({ kind: z.enum(["review", "gate", "style", "conflict"]), run: z.string(), attempt: z.int() })
    .nullable()
    .default(null),
  setbacks: z
    .object({
      gate: z.int(),
      conflict: z.int(),
      style: z.int(),
      bounce: z.int(),
      error: z.int(),
    })
    .default({ gate: 0, conflict: 0, style: 0, bounce: 0, error: 0 }),
  refusal: z
    .object({ result: z.enum(LAND_RESULTS), code: z.string(), detail: z.string() })
    .nullable()
    .default(null),
  pull: z.object({ number: z.int(), url: z.string() }).nullable().default(null),
  branchHeads: Tokens.default([]),
  landed: z.string().nullable().default(null),
  landedFrom: z.string().nullable().default(null),
  settled: z.boolean().default(false),
  start: z.enum(["fresh", "resume"]),
  footprint: z.object({ reads: Tokens, writes: Tokens }),
  resources: Tokens,
  runtime: z.string(),
  model: z.string(),
  modelWhy: z.string(),
  insteadOf: z
    .object({ model: z.string(), modelWhy: z.string(), estimateUsd: z.number() })
    .nullable()
    .default(null),
  account: AccountMark.optional().catch(undefined),
  contained: z.enum(CONTAINED_MARKS).optional().catch(undefined),
  flags: WorkFlags,
  areas: Tokens.optional().catch(undefined),
  mergePolicy: z.enum(MERGE_POLICIES),
  riskTier: z.int(),
  timeoutSeconds: z.number(),
  estimateUsd: z.number(),
  costUsd: z.number(),
  costKnown: z.boolean(),
  sessionCostUsd: z.number(),
  sessionTokens: CarriedTokens.nullable().default(null),
  session: z.string().nullable(),
  process: z.object({ pid: z.int(), start: z.string(), boot: z.string() }).nullable(),
  commits: z.int(),
  head: z.string().nullable(),
  began: z.string().nullable().default(null),
  uncommitted: z.boolean().default(false),
  deaths: z.int(),
  notBefore: z.number(),
  stopping: z.object({ why: z.string(), force: z.boolean() }).nullable(),
  outcome: z.string().nullable(),
  lastEnd: z.string(),
  note: z.string(),
  noteCode: z.string().nullable().default(null),
  at: z.string(),
}));

/** A chain from before implementing was counted for itself tells the number of agents only. */
const CarriedSlot = SlotFields.transform((slot) => ({
  ...slot,
  tries: slot.tries ?? slot.attempt,
})) satisfies z.ZodType<Slot>;

const CarriedRequest = lateObject(() => ({
  id: z.string(),
  at: z.string(),
  actor: z.string(),
  request: z.discriminatedUnion("verb", [
    z.object({ verb: z.literal("drain") }),
    z.object({ verb: z.literal("nudge"), bead: z.string(), text: z.string() }),
    z.object({ verb: z.literal("stop"), bead: z.string().nullable(), force: z.boolean() }),
    z.object({ verb: z.literal("inject"), bead: z.string() }),
  ]),
})) satisfies z.ZodType<ControlRequest>;

const LandingFields = lateObject(() => ({
  id: z.string(),
  at: z.string(),
  actor: z.string(),
  bead: z.string(),
  branch: z.string(),
  kind: z.enum(["work", "open-pull", "land-pull"]).default("work"),
  pull: z.int().nullable().default(null),
  base: z.string(),
  head: z.string(),
  asked: z.string().optional(),
  method: z.enum(["ff", "squash"]),
  by: z.enum(["engine", "operator"]),
  allowProtected: z.boolean(),
  before: z.enum(SLOT_STATUSES),
  moves: z.int(),
  intended: z
    .object({
      from: z.string(),
      head: z.string(),
      at: z.string().optional(),
      claims: LandingClaims.optional().catch(undefined),
    })
    .nullable(),
}));

/** A chain from before it was kept tells the present head only. */
const CarriedLanding = LandingFields.transform((landing) => ({
  ...landing,
  asked: landing.asked ?? landing.head,
})) satisfies z.ZodType<Landing>;

const CarriedPull = lateObject(() => ({
  number: z.int(),
  approvals: z.array(
    z.object({
      id: z.string(),
      at: z.string(),
      head: z.string(),
      via: z.enum(["comment", "review"]),
      evidence: Evidence,
    }),
  ),
  analysis: z
    .object({
      head: z.string(),
      verdict: z.enum(["clean", "blocking", "degraded"]),
      findings: z.int(),
      at: z.string(),
    })
    .nullable(),
})) satisfies z.ZodType<KnownPull>;

const CarriedHold = lateObject(() => ({
  id: z.string(),
  at: z.string(),
  actor: z.string(),
  reason: z.string(),
  evidence: Evidence.nullable(),
})) satisfies z.ZodType<Hold>;

const CarriedPause = lateObject(() => ({
  runtime: z.string(),
  model: z.string().nullable(),
  kind: z.enum(PAUSE_KINDS),
  detail: z.string(),
  at: z.string(),
  until: z.number().nullable(),
  times: z.int(),
  probe: z.string().nullable(),
})) satisfies z.ZodType<RuntimePause>;

const CarriedSteering = lateObject(() => ({
  id: z.string(),
  actor: z.string(),
  word: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("drain") }),
    z.object({ kind: z.literal("width"), max: z.int().nullable() }),
    z.object({ kind: z.literal("hold"), bead: z.string() }),
    z.object({ kind: z.literal("unhold"), bead: z.string() }),
  ]),
})) satisfies z.ZodType<Steering>;

const CarriedJob = lateObject(() => ({
  id: z.string(),
  at: z.string(),
  kind: z.enum(JOB_KINDS),
  pull: z.int(),
  head: z.string(),
  base: z.string(),
  commands: z.string().optional(),
  evidence: Evidence.nullable(),
  claimed: z.array(z.int()),
})) satisfies z.ZodType<KnownJob>;

const CarriedApp = lateObject(() => ({
  since: z.string().nullable(),
  forgotten: z.string().nullable().default(null),
  comments: z.array(
    z.object({
      comment: z.string(),
      thread: z.int(),
      user: z.string(),
      at: z.string(),
      takenAt: z.string(),
      run: z.int(),
      attempt: z.int(),
      again: z.boolean(),
      answer: z
        .object({
          reply: z.int().nullable(),
          counts: z.enum(["yes", "refused", "no"]),
          owed: z.object({ job: z.string(), rows: z.string() }).nullable(),
        })
        .nullable(),
    }),
  ),
  kept: z.array(z.object({ key: z.string(), place: z.int(), value: z.string() })),
})) satisfies z.ZodType<AppRecord>;

export const CarriedState = lateObject(() => ({
  lease: z
    .object({
      id: z.string(),
      holder: z.string(),
      host: z.string(),
      ttlSeconds: z.number(),
      seenAs: z.string(),
    })
    .nullable(),
  run: z
    .object({
      id: z.string(),
      startedAt: z.string(),
      mode: z.enum(["rolling", "wave"]),
      engineVersion: z.string(),
      budgetUsd: z.number().nullable(),
      review: z.boolean().default(false),
      choices: RunChoices.default({}),
      ended: z.object({ reason: z.string(), code: z.int(), at: z.string() }).nullable(),
    })
    .nullable(),
  slots: z.record(z.string(), CarriedSlot),
  resize: z.object({ max: z.int(), force: z.boolean() }).nullable(),
  requests: z.array(CarriedRequest),
  landings: z.array(CarriedLanding).default([]),
  holds: z.record(z.string(), CarriedHold).default({}),
  pulls: z.record(z.string(), CarriedPull).default({}),
  jobs: z.array(CarriedJob).default([]),
  app: CarriedApp.default({ since: null, forgotten: null, comments: [], kept: [] }),
  pauses: z.array(CarriedPause).default([]),
  spent: z.record(z.string(), z.object({ attempts: z.int(), usualUsd: z.number() })).default({}),
  runCosts: z
    .record(
      z.string(),
      z.object({
        agents: z.int(),
        costUsd: z.number(),
        costKnown: z.boolean(),
        apiUsd: z.number().optional(),
        tokens: CarriedTokens.optional(),
      }),
    )
    .default({}),
  steered: z.array(CarriedSteering).default([]),
  readOnly: z.object({ type: z.string(), needs: z.string() }).nullable(),
  chain: z.object({ number: z.int(), start: z.int() }),
  events: z.int(),
  quarantined: z.int(),
})) satisfies z.ZodType<LedgerState>;
