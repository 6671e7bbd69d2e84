import type { NewEvent } from "./ledger-event.js";
import type { AgentEnd, LeftBehind, OutcomeKind } from "./outcome.js";
import type { Slot } from "./slot.js";

const MAX_DEATHS = 3;
const MAX_LIMITS = 5;
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
}

/** What becomes of a slot whose agent has ended. */
export type Verdict =
  | { readonly kind: "finish" }
  | { readonly kind: "block"; readonly reason: string }
  | {
      readonly kind: "requeue";
      readonly reason: string;
      readonly counts: "death" | "limit" | "none";
      readonly notBefore: number;
    };

/** These are about the account or the installation, so trying again would only fail again. */
const HOPELESS: ReadonlySet<OutcomeKind> = new Set(["auth", "billing", "start-failed"]);
const SAID_NO: ReadonlySet<string> = new Set(["blocked", "failed", "error", "cancelled"]);

/** First match wins. */
export function concludeAttempt({ slot, end, left, now, backoffSeconds }: EndFacts): Verdict {
  const wait = backoff(slot.deaths, backoffSeconds) * 1000;
  const finished = left.commits > 0 && left.head !== null && !left.dirty;
  if (end.kind === "limited") {
    if (slot.limits + 1 > MAX_LIMITS)
      return { kind: "block", reason: `rate limit met ${slot.limits + 1} times: ${end.detail}` };
    const retryAt = Math.min(end.retryAt ?? 0, now + LONGEST_WAIT_MS);
    const notBefore = Math.max(retryAt, now + backoff(slot.limits, backoffSeconds) * 1000);
    return { kind: "requeue", reason: `rate limit: ${end.detail}`, counts: "limit", notBefore };
  }
  // A session that cannot be found again is no fault of the installation: the work goes on in a new one.
  const sessionGone = end.kind === "start-failed" && slot.session !== null;
  if (HOPELESS.has(end.kind) && !sessionGone) return { kind: "block", reason: `${end.kind}: ${end.detail}` };
  if (left.said !== null && SAID_NO.has(left.said.state)) {
    return { kind: "block", reason: `the agent says ${left.said.state}: ${left.said.note}` };
  }
  if (end.kind === "stopped") {
    if (finished) return { kind: "finish" };
    return { kind: "requeue", reason: `stopped: ${end.detail}`, counts: "none", notBefore: now };
  }
  if (end.kind === "completed" && finished) return { kind: "finish" };
  const reason = deathReason(end, left);
  if (slot.deaths + 1 >= MAX_DEATHS)
    return { kind: "block", reason: `${MAX_DEATHS} attempts failed, the last: ${reason}` };
  return { kind: "requeue", reason, counts: "death", notBefore: now + wait };
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
  const costUsd = free ? end.costUsd : Math.max(end.costUsd, slot.estimateUsd);
  const of = { bead: slot.bead, run: slot.run };
  const ended: NewEvent = {
    ...of,
    type: "slot.ended",
    data: {
      attempt: slot.attempt,
      outcome: end.kind,
      detail: end.detail,
      session: end.session,
      usage: { cost_usd: costUsd, cost_known: free },
      commits: left.commits,
      head: left.head,
    },
  };
  return [ended, sequel(concludeAttempt(facts), of, left)];
}

function sequel(verdict: Verdict, of: Pick<NewEvent, "bead" | "run">, left: LeftBehind): NewEvent {
  switch (verdict.kind) {
    case "finish": {
      const data = { status: "merge-pending", head: left.head ?? "", commits: left.commits } as const;
      return { ...of, type: "slot.finished", data };
    }
    case "block":
      return { ...of, type: "slot.blocked", data: { reason: verdict.reason } };
    case "requeue": {
      const { reason, counts, notBefore } = verdict;
      const start = left.commits > 0 ? "resume" : "fresh";
      return { ...of, type: "slot.queued", data: { reason, counts, start, not_before: notBefore } };
    }
  }
}
