import type { AnalysisOutcome } from "../review/pull/decide-analysis.js";
import type { LedgerEvent } from "../run/ledger/ledger-event.js";
import type { RequestAnswer } from "../run/ledger/request-answer.js";
import type { ControlDecision } from "./control-decision.js";
import { isOfEngine } from "./heard-of-engine.js";

/**
 * What became of something that was asked of an engine.
 *
 * | outcome  | entered when                                                  | what follows          |
 * |----------|---------------------------------------------------------------|-----------------------|
 * | unheard  | it is on record                                               | any of the others     |
 * | seen     | an engine shared something after it, so that it has read it   | answered, lost        |
 * | taken    | the same, for what an engine goes by from then on             | nothing               |
 * | answered | an engine said what it made of it                             | nothing               |
 * | landing  | it asks for a landing, which is not decided yet               | landed, unlanded, lost |
 * | landed   | the base branch has it                                        | nothing               |
 * | unlanded | the landing was refused                                       | nothing               |
 * | analysing | it asks for an analysis, which is not over yet               | analysed, unanalysed  |
 * | analysed | a reviewer has read the pull request                          | nothing               |
 * | unanalysed | no reviewer has, or what it said could not be posted        | nothing               |
 * | lost     | the record is not among the ledger's last events any more     | nothing               |
 */
export type RequestOutcome =
  | { readonly kind: "unheard" }
  | { readonly kind: "seen" | "taken"; readonly at: string }
  | { readonly kind: "answered"; readonly at: string; readonly code: string; readonly note: string }
  | { readonly kind: "landing" }
  | {
      readonly kind: "landed";
      readonly at: string;
      readonly head: string;
      /** The older head that people approved, where their approval was carried over. */
      readonly approved?: string | undefined;
    }
  | {
      readonly kind: "unlanded";
      readonly at: string;
      readonly code: string;
      readonly note: string;
      /** What to do about it; empty when it passes by itself, or is not on record. */
      readonly next: string;
    }
  | { readonly kind: "analysing" }
  | AnalysisOutcome
  | { readonly kind: "lost" };

/** An engine says what it made of these; the others are settings that it goes by once it has read them. */
const ANSWERED: ReadonlySet<string> = new Set(["control.nudge", "control.stop", "control.inject"]);

const DONE: ReadonlySet<string> = new Set<RequestAnswer["code"]>([
  "delivered",
  "stopping",
  "dispatched",
  "drained",
]);

/** `recent` are the ledger's last events, in order. */
export function requestOutcome(request: string, recent: readonly LedgerEvent[]): RequestOutcome {
  const place = recent.findIndex(({ id }) => id === request);
  const asked = recent[place];
  if (asked === undefined) return { kind: "lost" };
  const later = recent.slice(place + 1);
  if (asked.type === "pull.landing") return landingOutcome(request, later);
  // Anybody can write into the ledger that a job is done; whoever has it done knows.
  if (asked.type === "job.requested") return { kind: "analysing" };
  for (const event of later)
    if (event.type === "control.consumed" && event.data.request === request) {
      const { note, code = "" } = event.data;
      return { kind: "answered", at: event.at, code: code ?? "", note };
    }
  // What an engine recorded before it was asked may be shared, and so stand, after it.
  const seen = later.find((event) => isOfEngine(event) && Date.parse(event.at) >= Date.parse(asked.at));
  if (seen === undefined) return { kind: "unheard" };
  return { kind: ANSWERED.has(asked.type) ? "seen" : "taken", at: seen.at };
}

function landingOutcome(request: string, later: readonly LedgerEvent[]): RequestOutcome {
  for (const event of later) {
    if (event.type === "land.landed" && event.data.request === request)
      return { kind: "landed", at: event.at, head: event.data.head, approved: event.data.approved };
    if (event.type === "land.refused" && event.data.request === request) {
      const { code, detail: note, data: facts } = event.data;
      const next = typeof facts?.next === "string" ? facts.next : "";
      return { kind: "unlanded", at: event.at, code, note, next };
    }
  }
  return { kind: "landing" };
}

const SETTLED: ReadonlySet<RequestOutcome["kind"]> = new Set([
  "taken",
  "answered",
  "landed",
  "unlanded",
  "analysed",
  "unanalysed",
  "lost",
]);

export function isSettled({ kind }: RequestOutcome): boolean {
  return SETTLED.has(kind);
}

/** Whether the engine did what it was asked for, as far as its answer tells. */
export function isCarriedOut({ code }: { readonly code: string }): boolean {
  return code === "" || DONE.has(code);
}

/** Whether an engine that runs is to act on it. A bead that is retried without a run waits for the next one. */
export function awaitsEngine(decision: ControlDecision): boolean {
  if (decision.kind !== "append" || decision.done) return false;
  return decision.change.verb !== "retry" || decision.change.underWay;
}

/** Something that a person asked of a run while it went on, wherever they did. */
export interface RunRequest {
  readonly verb: "drain" | "stop" | "resize" | "retry" | "nudge";
  /** Null for all of the run. */
  readonly bead: string | null;
  readonly actor: string;
  readonly at: string;
  readonly came: RequestOutcome | { readonly kind: "refused"; readonly code: string; readonly said: string };
}

/** In the order they were asked for. `recent` are the ledger's last events; those since the run began count. */
export function runRequests(recent: readonly LedgerEvent[], run: string): RunRequest[] {
  const began = recent.findIndex((event) => event.type === "run.started" && event.run === run);
  return recent.slice(began + 1).flatMap((event): RunRequest[] => {
    const { actor, at, bead = null } = event;
    switch (event.type) {
      case "control.drain":
      case "control.stop":
      case "control.resize":
      case "control.retry":
      case "control.nudge": {
        const verb = event.type.slice("control.".length) as RunRequest["verb"];
        return [{ verb, bead, actor, at, came: requestOutcome(event.id, recent) }];
      }
      case "control.refused": {
        const { verb, code, said } = event.data;
        return event.data.run === run
          ? [{ verb, bead, actor, at, came: { kind: "refused", code, said } }]
          : [];
      }
      default:
        return [];
    }
  });
}
