import type { z } from "zod";
import type { EVENT_DATA } from "./event-data.js";
import type { NewEvent } from "./ledger-event.js";
import type { Words } from "./slot-reason.js";

/** Events that say why, and the field of theirs that people read it in. */
export const WORDED_IN = {
  "slot.stopping": "why",
  "slot.ended": "detail",
  "slot.queued": "reason",
  "slot.passed": "note",
  "slot.reviewed": "note",
  "slot.finished": "note",
  "slot.blocked": "reason",
  "slot.dropped": "reason",
  "runtime.paused": "detail",
} as const;

type Worded = keyof typeof WORDED_IN;

/** An event whose reason is still to be put into words, which is done where it is written. */
export type ReasonedEvent = {
  [T in Worded]: {
    readonly type: T;
    readonly bead: string;
    readonly run: string;
    readonly why: Words;
    readonly data: Omit<z.input<(typeof EVENT_DATA)[T]>, (typeof WORDED_IN)[T] | "code" | "data">;
  };
}[Worded];

export type DecidedEvent = NewEvent | ReasonedEvent;
