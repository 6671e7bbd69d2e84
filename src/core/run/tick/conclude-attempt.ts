import type { NewEvent } from "../ledger/ledger-event.js";
import type { AgentEnd, Judged, LeftBehind, OutcomeKind } from "../ledger/outcome.js";
import type { Slot, Stage } from "../ledger/slot.js";
import { nextStage, nextTask } from "./next-step.js";

const MAX_DEATHS = 3;
const MAX_LIMITS = 5;
const MAX_REVIEWS = 2;
const FIRST_BACKOFF_SECONDS = 15;
const LONGEST_BACKOFF_SECONDS = 900;
/** No limit lasts longer than a week; a date beyond that is a mistake or a trick, and is not waited for. */
export const LONGEST_WAIT_MS = 8 * 24 * 3600 * 1000;

export interface EndFacts {
  readonly slot: Slot;
  readonly end: AgentEnd;
  readonly left: LeftBehind;
  readonly now: number;
  /** First wait after a death; doubles with each. */
  readonly backoffSeconds?: number;
  /** For a review: what its answer amounts to. */
  readonly judged?: Judged | null;
}

/** What becomes of a slot whose agent has ended. */
export type Verdict =
  | { readonly kind: "pass"; readonly note: string }
  | { readonly kind: "block"; readonly reason: string }
  | {
      readonly kind: "requeue";
      readonly reason: string;
      readonly counts: "death" | "limit" | "none";
      readonly notBefore: number;
    };

/** These are about the account or the installation, so trying again would only fail again. */
const HOPELESS: ReadonlySet<OutcomeKind> = new Set(["auth", "billing", "start-failed"]);
const SAID_NO: ReadonlySet<string> = new Set(["blocked", "failed"]);

/** First match wins. */
export function concludeAttempt(facts: EndFacts): Verdict {
  const { slot, end, left, now } = facts;
  if (end.kind === "limited") return limited(facts);
  const stage = slot.asides.find(({ task }) => task === slot.task);
  if (slot.task === "review") return concludeReview(facts);
  // What the implementer made is gone from its clone; another attempt would only begin without it.
  if (stage !== undefined && left.commits === 0)
    return { kind: "block", reason: `${slot.task} left none of the commits it began with` };
  const done = isDone(facts);
  // A session that cannot be found again is no fault of the installation: the work goes on in a new one.
  const sessionGone = end.kind === "start-failed" && slot.task === "implement" && slot.session !== null;
  if (HOPELESS.has(end.kind) && !sessionGone)
    return giveUp(stage, `${end.kind}: ${end.detail}`, {
      kind: "block",
      reason: `${end.kind}: ${end.detail}`,
    });
  if (left.said !== null && SAID_NO.has(left.said.state)) {
    const reason = `the agent says ${left.said.state}: ${left.said.note}`;
    return giveUp(stage, reason, { kind: "block", reason });
  }
  if (end.kind === "stopped")
    // A stage that was cut short has not done its work, and an implementer that said it was still at it is believed.
    return done && stage === undefined && left.said?.state !== "working"
      ? { kind: "pass", note: "" }
      : { kind: "requeue", reason: `stopped: ${end.detail}`, counts: "none", notBefore: now };
  if (done && end.kind === "completed") return { kind: "pass", note: "" };
  if (done && end.kind === "timed-out" && stage !== undefined)
    return { kind: "pass", note: `${slot.task} ran out of time; what it had committed is kept` };
  return died(facts, stage);
}

/** Whether what is there can go on: commits, and nothing besides them. */
function isDone({ left }: EndFacts): boolean {
  return left.commits > 0 && left.head !== null && !left.dirty;
}

function limited({ slot, end, now, backoffSeconds }: EndFacts): Verdict {
  if (slot.limits + 1 > MAX_LIMITS)
    return { kind: "block", reason: `rate limit met ${slot.limits + 1} times: ${end.detail}` };
  const retryAt = Math.min(end.retryAt ?? 0, now + LONGEST_WAIT_MS);
  const notBefore = Math.max(retryAt, now + backoff(slot.limits, backoffSeconds) * 1000);
  return { kind: "requeue", reason: `rate limit: ${end.detail}`, counts: "limit", notBefore };
}

/** A reviewer that dies or answers nothing readable is asked once more; then the review counts as degraded. */
function concludeReview({ slot, end, judged, now, backoffSeconds }: EndFacts): Verdict {
  if (end.kind === "stopped")
    return { kind: "requeue", reason: `stopped: ${end.detail}`, counts: "none", notBefore: now };
  if (judged && judged.verdict !== "degraded") return { kind: "pass", note: judged.note };
  const note = judged?.note ?? `${end.kind}: ${end.detail}`;
  if (slot.deaths + 1 >= MAX_REVIEWS) return { kind: "pass", note };
  const notBefore = now + backoff(slot.deaths, backoffSeconds) * 1000;
  return { kind: "requeue", reason: `review: ${note}`, counts: "death", notBefore };
}

function died(facts: EndFacts, stage: Stage | undefined): Verdict {
  const { slot, end, left, now, backoffSeconds } = facts;
  const reason = deathReason(end, left);
  if (slot.deaths + 1 < MAX_DEATHS) {
    const notBefore = now + backoff(slot.deaths, backoffSeconds) * 1000;
    return { kind: "requeue", reason, counts: "death", notBefore };
  }
  const what = stage === undefined ? "" : `${slot.task} failed: `;
  return giveUp(stage, reason, {
    kind: "block",
    reason: `${what}${MAX_DEATHS} attempts failed, the last: ${reason}`,
  });
}

/** An optional stage that cannot be done is left out. */
function giveUp(stage: Stage | undefined, reason: string, otherwise: Verdict): Verdict {
  return stage?.optional ? { kind: "pass", note: `${stage.task} was left out: ${reason}` } : otherwise;
}

function deathReason({ kind, detail }: AgentEnd, left: LeftBehind): string {
  if (kind !== "completed") return detail === "" ? kind : `${kind}: ${detail}`;
  if (left.commits === 0) return "it ended without a commit";
  return "it ended with changes that are in no commit";
}

/** 15 s, 30 s, 60 s, … up to a quarter of an hour. */
function backoff(before: number, first = FIRST_BACKOFF_SECONDS): number {
  return Math.min(first * 2 ** before, LONGEST_BACKOFF_SECONDS);
}

/** The end of an attempt and what follows from it: one batch, so that there is never an end without a sequel. */
export function endEvents(facts: EndFacts): NewEvent[] {
  const { slot, end, left } = facts;
  // What nobody could tell is counted as what was expected, so that a budget still means something.
  // An agent that never started has spent nothing.
  const free = end.costKnown || end.kind === "start-failed";
  const estimate = slot.asides.find(({ task }) => task === slot.task)?.estimateUsd ?? slot.estimateUsd;
  const counted = free || end.costEstimated === true;
  const costUsd = counted ? end.costUsd : Math.max(end.costUsd, estimate);
  const of = { bead: slot.bead, run: slot.run };
  const ended: NewEvent = {
    ...of,
    type: "slot.ended",
    data: {
      attempt: slot.attempt,
      outcome: end.kind,
      detail: end.detail,
      session: end.session,
      usage: { cost_usd: costUsd, cost_known: free, counted },
      commits: left.commits,
      head: left.head,
      began: left.began,
    },
  };
  const verdict = concludeAttempt(facts);
  if (verdict.kind === "pass") return [ended, ...passEvents(facts, verdict.note)];
  if (verdict.kind === "block")
    return [ended, { ...of, type: "slot.blocked", data: { reason: verdict.reason, status: "blocked" } }];
  const { reason, counts, notBefore } = verdict;
  const start = left.commits > 0 ? "resume" : "fresh";
  const data = { reason, counts, start, not_before: notBefore, task: slot.task, report: null } as const;
  return [ended, { ...of, type: "slot.queued", data }];
}

function passEvents({ slot, now, judged }: EndFacts, note: string): NewEvent[] {
  const { bead, run, attempt, task } = slot;
  const passed: NewEvent = { type: "slot.passed", bead, run, data: { attempt, note } };
  if (task === "review") {
    const head = slot.candidate?.head ?? "";
    const verdict = judged?.verdict ?? "degraded";
    return [passed, { type: "slot.reviewed", bead, run, data: { attempt, head, verdict, note } }];
  }
  // The next stage takes the place at once, before a new bead can.
  const stage = nextStage({ ...slot, passed: task === "implement" ? [task] : [...slot.passed, task] });
  return stage === null ? [passed] : [passed, nextTask(slot, stage, now)];
}
