import { asPauseKind } from "../core/model/pause-kind.js";
import { requestAnswerText } from "../core/replies/run/request-answer.js";
import type { NewEvent } from "../core/run/ledger/ledger-event.js";
import type { ControlRequest, LedgerState } from "../core/run/ledger/ledger-state.js";
import type { RequestAnswer } from "../core/run/ledger/request-answer.js";
import type { Slot } from "../core/run/ledger/slot.js";
import type { Steering } from "../core/run/ledger/steering.js";
import type { EngineNews } from "./engine-parts.js";
import { GIVEN_BACK } from "./orphans.js";

/**
 * What an event means to whoever watches; null when it is the ledger's own business. `slot` is the event's, with the
 * event in it.
 */
export function newsOf(event: NewEvent, now: number, slot?: Slot): EngineNews | null {
  const bead = event.bead ?? "";
  switch (event.type) {
    case "slot.dispatching": {
      const { title, start, runtime, task = "implement", asides = [] } = event.data;
      const attempt = slot?.tries ?? event.data.attempt;
      const model = asides.find((stage) => stage.task === task)?.model ?? event.data.model;
      const insteadOf = event.data.instead_of?.model ?? null;
      const { account } = event.data;
      const billedTo = account?.billing === undefined ? undefined : account.fingerprint;
      return { kind: "dispatching", bead, title, attempt, runtime, model, insteadOf, start, task, billedTo };
    }
    case "slot.started":
      return { kind: "started", bead, pid: event.data.process.pid };
    case "slot.stopping":
      return { kind: "stopping", bead, why: event.data.why };
    case "slot.ended": {
      const { outcome, detail, usage } = event.data;
      return { kind: "ended", bead, outcome, detail, costUsd: usage.cost_usd };
    }
    case "slot.finished":
      return {
        kind: "finished",
        bead,
        commits: event.data.commits,
        head: event.data.head,
        note: event.data.note ?? "",
      };
    case "slot.refused":
      return { kind: "refused", bead, result: event.data.result, detail: event.data.detail };
    case "slot.reviewed":
      return { kind: "reviewed", bead, verdict: event.data.verdict, note: event.data.note };
    case "slot.queued": {
      // Going on with the next stage is what was planned.
      if (event.data.counts === "none" && event.data.task !== "implement") return null;
      const waits = event.data.code === "runtime-paused";
      const inSeconds = waits ? null : Math.max(0, Math.round((event.data.not_before - now) / 1000));
      return { kind: "queued", bead, reason: event.data.reason, inSeconds };
    }
    case "runtime.paused": {
      const { runtime, model = null, kind, until, detail } = event.data;
      return { kind: "runtime-paused", pause: { runtime, model, kind: asPauseKind(kind), until, detail } };
    }
    case "runtime.resumed":
      return { kind: "runtime-resumed", runtime: event.data.runtime };
    case "slot.blocked":
      return { kind: "blocked", bead, reason: event.data.reason, status: event.data.status ?? "blocked" };
    case "slot.dropped":
      return event.data.code === GIVEN_BACK ? null : { kind: "dropped", bead, reason: event.data.reason };
    default:
      return null;
  }
}

export function steeringNews({ id, actor, word }: Steering, holds: LedgerState["holds"]): EngineNews {
  if (word.kind !== "hold") return { kind: "steered", actor, word };
  const { kind, bead } = word;
  const hold = holds[bead];
  // Lifted or worded anew meanwhile, which is told as well.
  const reason = hold?.id === id ? hold.reason : "";
  return { kind: "steered", actor, word: { kind, bead, reason } };
}

/** What was made of a request; null when other news tell it. */
export function answerNews({ actor, request }: ControlRequest, answer: RequestAnswer): EngineNews | null {
  if (request.verb !== "nudge" && request.verb !== "inject") return null;
  if (answer.code === "dispatched") return null;
  const { verb, bead } = request;
  const note = requestAnswerText(answer);
  return { kind: "steered", actor, word: { kind: "answer", verb, bead, note } };
}
