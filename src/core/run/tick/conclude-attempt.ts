import { backoff } from "../../../lib/backoff.js";
import type { AgentEnd, Judged, LeftBehind } from "../../model/agent-end.js";
import type { PauseKind } from "../../model/pause-kind.js";
import { retryRule } from "../../route/retry-rule.js";
import type { DecidedEvent } from "../ledger/decided-event.js";
import { sessionAfter, startAfter } from "../ledger/fold/start-after.js";
import type { RuntimePause } from "../ledger/runtime-pause.js";
import type { Slot, Stage } from "../ledger/slot.js";
import type { Words } from "../ledger/slot-reason.js";
import { attemptEstimate } from "../plan/estimate-cost.js";
import { nextStage, nextTask } from "./next-step.js";
import { isPauseKind, pauseAfter, resumeAfter } from "./pause-runtime.js";

const MAX_REVIEWS = 2;
/** 15 s, 30 s, 60 s, … up to a quarter of an hour. */
const BACKOFF_SECONDS = { first: 15, longest: 900 };

/** How the attempt ended; what the rules found out by themselves is not in words yet. */
export type AttemptEnd = Omit<AgentEnd, "detail"> & { readonly detail: Words };

export interface AttemptFacts {
  readonly slot: Slot;
  readonly end: AttemptEnd;
  readonly left: LeftBehind;
  readonly now: number;
  /** First wait after a death; doubles with each. */
  readonly backoffSeconds?: number;
  /** For a review: what its answer amounts to. */
  readonly judged?: Judged | null;
  /** The engine itself is ending: the next one goes on at once. */
  readonly interrupted?: boolean;
  /** Runtimes that were paused when it ended; none unless told. */
  readonly pauses?: readonly RuntimePause[];
  /** Why the engine could not find out what there is; absent when it could. */
  readonly failed?: Words;
}

/** What becomes of a slot whose agent has ended. */
export type AttemptVerdict =
  | { readonly kind: "pass"; readonly why: Words }
  | { readonly kind: "block"; readonly why: Words }
  /** Its runtime is at fault: the bead goes on from where it is when that works again. */
  | { readonly kind: "pause"; readonly why: Words }
  | {
      readonly kind: "requeue";
      readonly why: Words;
      readonly counts: "death" | "none";
      readonly notBefore: number;
    };

const SAID_NO: ReadonlySet<string> = new Set(["blocked", "failed", "unknown"]);

/** First match wins. */
export function concludeAttempt(facts: AttemptFacts): AttemptVerdict {
  const { slot, end, left, failed } = facts;
  if (failed !== undefined) return { kind: "block", why: failed };
  const fault = runtimeFault(facts);
  if (fault !== null)
    return { kind: "pause", why: { code: "runtime-paused", kind: fault, detail: end.detail } };
  const stage = slot.asides.find(({ task }) => task === slot.task);
  if (slot.task === "review") return concludeReview(facts);
  // What the implementer made is gone from its clone; another attempt would only begin without it.
  if (stage !== undefined && left.commits === 0)
    return { kind: "block", why: { code: "stage-lost-commits", task: slot.task } };
  const done = isDone(facts);
  // Starting it again would only be refused again.
  if (end.kind === "not-started") return giveUp(stage, endedAs(end));
  if (left.said !== null && SAID_NO.has(left.said.state)) return giveUp(stage, saysNo(left.said));
  if (end.kind === "stopped")
    // A stage that was cut short has not done its work.
    return done && stage === undefined && isThrough(facts)
      ? { kind: "pass", why: "" }
      : stoppedOnRequest(facts);
  if (done && end.kind === "completed") return { kind: "pass", why: "" };
  if (done && end.kind === "timed-out" && stage !== undefined)
    return { kind: "pass", why: { code: "stage-timed-out", task: slot.task } };
  return died(facts, stage);
}

/** Whether what is there can go on: commits, nothing besides them, and no status that nobody can read. */
function isDone({ left }: AttemptFacts): boolean {
  return left.commits > 0 && left.head !== null && !left.dirty && left.said?.state !== "unreadable";
}

/**
 * Whether an implementer that was stopped had done its work. Whoever stops one has looked at it, so only its own word
 * that it is still at it counts against that. An engine that ends stops all of them wherever they are: there it takes
 * their word that they are done.
 */
function isThrough({ end, left, interrupted }: AttemptFacts): boolean {
  const cutShort =
    interrupted === true || (typeof end.detail === "object" && end.detail.code === "interrupted");
  return cutShort ? left.said?.state === "done" : left.said?.state !== "working";
}

function saysNo({ state, word = state, note }: NonNullable<LeftBehind["said"]>): Words {
  return { code: state === "unknown" ? "status-unknown" : "agent-says", state: word, note };
}

/** A session that cannot be found again is no fault of the installation: the work goes on in a new one. */
function sessionIsGone({ slot, end }: AttemptFacts): boolean {
  return end.kind === "start-failed" && slot.task === "implement" && slot.session !== null;
}

/** What its runtime is to blame for, whatever became of the bead; null when nothing. */
function runtimeFault(facts: AttemptFacts): PauseKind | null {
  const { kind } = facts.end;
  return isPauseKind(kind) && !sessionIsGone(facts) ? kind : null;
}

/** A reviewer that dies or answers nothing readable is asked once more; then the review counts as degraded. */
function concludeReview(facts: AttemptFacts): AttemptVerdict {
  const { slot, end, judged } = facts;
  if (end.kind === "stopped") return stoppedOnRequest(facts);
  if (judged && judged.verdict !== "degraded") return { kind: "pass", why: judged.note };
  const because = judged?.note ?? endedAs(end);
  if (slot.deaths + 1 >= MAX_REVIEWS) return { kind: "pass", why: because };
  const notBefore = notBeforeBackoff(facts);
  return { kind: "requeue", why: { code: "review-unread", because }, counts: "death", notBefore };
}

function died(facts: AttemptFacts, stage: Stage | undefined): AttemptVerdict {
  const { slot, end, left } = facts;
  const last = deathReason(end, left);
  const { mostDeaths } = retryRule(slot.riskTier);
  if (slot.deaths + 1 < mostDeaths)
    return { kind: "requeue", why: last, counts: "death", notBefore: notBeforeBackoff(facts) };
  const task = stage === undefined ? null : slot.task;
  return giveUp(stage, last, { code: "too-many-deaths", times: mostDeaths, task, last });
}

/** An optional stage that cannot be done is left out. */
function giveUp(stage: Stage | undefined, because: Words, why = because): AttemptVerdict {
  return stage?.optional
    ? { kind: "pass", why: { code: "stage-left-out", task: stage.task, because } }
    : { kind: "block", why };
}

/** It costs no attempt, but whoever stopped it has time to look before the next one starts. */
function stoppedOnRequest(facts: AttemptFacts): AttemptVerdict {
  const notBefore = facts.interrupted ? facts.now : notBeforeBackoff(facts);
  return { kind: "requeue", why: { code: "stopped", detail: facts.end.detail }, counts: "none", notBefore };
}

function deathReason(end: AttemptEnd, left: LeftBehind): Words {
  if (end.kind !== "completed") return endedAs(end);
  if (left.commits === 0) return { code: "no-commit" };
  return { code: left.dirty ? "uncommitted" : "status-unreadable" };
}

function endedAs({ kind, detail }: AttemptEnd): Words {
  return { code: "agent-ended", outcome: kind, detail };
}

/** When the next attempt may start: later after each death, and as the risk tier says, which is about workers only. */
function notBeforeBackoff({ slot, now, backoffSeconds = BACKOFF_SECONDS.first }: AttemptFacts): number {
  const { waits } = slot.task === "review" ? { waits: 1 } : retryRule(slot.riskTier);
  return now + backoff({ ...BACKOFF_SECONDS, first: backoffSeconds * waits }, slot.deaths) * 1000;
}

/** The end of an attempt and what follows from it: one batch, so that there is never an end without a sequel. */
export function endEvents(facts: AttemptFacts): DecidedEvent[] {
  const { slot, end, left } = facts;
  // What nobody could tell is counted as what was expected, so that a budget still means something.
  // An agent that never started, or was never answered, has spent nothing.
  const unpaid = isPauseKind(end.kind) && end.answered === false;
  const free = end.costKnown || unpaid || end.kind === "start-failed" || end.kind === "not-started";
  const counted = free || end.costEstimated === true;
  const costUsd = counted ? end.costUsd : Math.max(end.costUsd, attemptEstimate(slot));
  const of = { bead: slot.bead, run: slot.run };
  const ended: DecidedEvent = {
    ...of,
    type: "slot.ended",
    why: end.detail,
    data: {
      attempt: slot.attempt,
      outcome: end.kind,
      session: end.session,
      usage: { cost_usd: costUsd, cost_known: free, counted, ...tokensOf(end) },
      commits: left.commits,
      head: left.head,
      began: left.began,
      uncommitted: left.dirty,
    },
  };
  const verdict = concludeAttempt(facts);
  const ofRuntime = runtimeEvents(facts);
  if (verdict.kind === "pass") return [ended, ...passEvents(facts, verdict.why), ...ofRuntime];
  if (verdict.kind === "block")
    return [
      ended,
      { ...of, type: "slot.blocked", why: verdict.why, data: { status: "blocked" } },
      ...ofRuntime,
    ];
  const session = sessionAfter(slot, end.kind, end.session);
  const start = startAfter({ commits: left.commits, uncommitted: left.dirty, session });
  const queued = (counts: "death" | "none", notBefore: number): DecidedEvent => {
    const data = { counts, start, not_before: notBefore, task: slot.task, report: null } as const;
    return { ...of, type: "slot.queued", why: verdict.why, data };
  };
  const next =
    verdict.kind === "requeue" ? queued(verdict.counts, verdict.notBefore) : queued("none", facts.now);
  return [ended, next, ...ofRuntime];
}

function tokensOf({ tokens }: AttemptEnd) {
  if (tokens === undefined) return {};
  const { input, output, cacheRead, cacheWrite } = tokens;
  return { tokens: { input, output, cache_read: cacheRead, cache_write: cacheWrite } };
}

/** What the end tells of its runtime, for all beads: nothing more is to be started on it, or its provider answers. */
function runtimeEvents(facts: AttemptFacts): DecidedEvent[] {
  const { slot, end, pauses = [] } = facts;
  const fault = runtimeFault(facts);
  if (fault === null) return resumeAfter(slot, end.kind, pauses);
  const data = pauseAfter({ ...facts, pauses, kind: fault });
  return [{ type: "runtime.paused", bead: slot.bead, run: slot.run, why: end.detail, data }];
}

function passEvents({ slot, now, judged }: AttemptFacts, why: Words): DecidedEvent[] {
  const { bead, run, attempt, task } = slot;
  const passed: DecidedEvent = { type: "slot.passed", bead, run, why, data: { attempt } };
  if (task === "review") {
    const head = slot.candidate?.head ?? "";
    const verdict = judged?.verdict ?? "degraded";
    const criteria = judged?.criteria && { criteria: [...judged.criteria] };
    return [passed, { type: "slot.reviewed", bead, run, why, data: { attempt, head, verdict, ...criteria } }];
  }
  // The next stage takes the place at once, before a new bead can.
  const stage = nextStage({ ...slot, passed: task === "implement" ? [task] : [...slot.passed, task] });
  return stage === null ? [passed] : [passed, nextTask(slot, stage, now)];
}
