import { z } from "zod";
import { MERGE_POLICIES } from "../route/merge-policy.js";
import type { ControlRequest, LedgerState } from "./ledger-state.js";
import type { Slot } from "./slot.js";

/** The state a rolled ledger starts from. It is read from the remote, so nothing about it is taken on trust. */
const Tokens = z.array(z.string());

const CarriedSlot = z.object({
  bead: z.string(),
  run: z.string(),
  dispatchedBy: z.string(),
  title: z.string(),
  status: z.enum(["queued", "dispatching", "running", "ended", "merge-pending", "blocked"]),
  attempt: z.int(),
  start: z.enum(["fresh", "resume"]),
  footprint: z.object({ reads: Tokens, writes: Tokens }),
  resources: Tokens,
  runtime: z.string(),
  model: z.string(),
  modelWhy: z.string(),
  mergePolicy: z.enum(MERGE_POLICIES),
  riskTier: z.int(),
  timeoutSeconds: z.number(),
  estimateUsd: z.number(),
  costUsd: z.number(),
  costKnown: z.boolean(),
  sessionCostUsd: z.number(),
  session: z.string().nullable(),
  process: z.object({ pid: z.int(), start: z.string(), boot: z.string() }).nullable(),
  commits: z.int(),
  head: z.string().nullable(),
  deaths: z.int(),
  limits: z.int(),
  notBefore: z.number(),
  stopping: z.object({ why: z.string(), force: z.boolean() }).nullable(),
  outcome: z.string().nullable(),
  lastEnd: z.string(),
  note: z.string(),
  at: z.string(),
}) satisfies z.ZodType<Slot>;

const CarriedRequest = z.object({
  id: z.string(),
  at: z.string(),
  actor: z.string(),
  request: z.discriminatedUnion("verb", [
    z.object({ verb: z.literal("drain") }),
    z.object({ verb: z.literal("nudge"), bead: z.string(), text: z.string() }),
    z.object({ verb: z.literal("stop"), bead: z.string().nullable(), force: z.boolean() }),
    z.object({ verb: z.literal("inject"), bead: z.string() }),
  ]),
}) satisfies z.ZodType<ControlRequest>;

export const CarriedState = z.object({
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
      ended: z.object({ reason: z.string(), code: z.int(), at: z.string() }).nullable(),
    })
    .nullable(),
  slots: z.record(z.string(), CarriedSlot),
  resize: z.object({ max: z.int(), force: z.boolean() }).nullable(),
  requests: z.array(CarriedRequest),
  readOnly: z.object({ type: z.string(), needs: z.string() }).nullable(),
  chain: z.object({ number: z.int(), start: z.int() }),
  events: z.int(),
  quarantined: z.int(),
}) satisfies z.ZodType<LedgerState>;
