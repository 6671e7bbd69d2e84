import type { NewEvent } from "../run/ledger/ledger-event.js";
import type { ControlRequest, Hold } from "../run/ledger/ledger-state.js";
import type { Slot } from "../run/ledger/slot.js";
import type { ControlCommand, ControlQuestion, ControlVerb } from "./control-command.js";

/** What a command comes to: codes and data, which `core/replies/control` puts into words. */
export type ControlDecision =
  | {
      readonly kind: "append";
      /** Recorded together, in this order. */
      readonly events: readonly NewEvent[];
      /** The record is all there is to it; else the engine acts on it. */
      readonly done: boolean;
      readonly change: ControlChange;
      readonly silent: SilentSince;
    }
  /** Things are as they were asked for: nothing is recorded. */
  | { readonly kind: "already"; readonly found: FoundAlready; readonly silent: SilentSince }
  | ControlRefused;

export interface ControlRefused {
  readonly kind: "refuse";
  readonly refusal: ControlRefusal;
}

/** When the engine that has to act was last heard of, where that is too long ago for one that lives; else null. */
export type SilentSince = number | null;

export type ControlChange =
  | {
      readonly verb: "hold";
      readonly bead: string;
      /** The hold that this one replaces. */
      readonly before: Hold | null;
      /** An engine tells with some delay what it has started, so one may be at work that is not on record yet. */
      readonly agent: "at-work" | "perhaps" | "none";
      /** A landing of it keeps its place in the queue meanwhile. */
      readonly landing: boolean;
      /** A run has taken the bead, the work source has it, or it is the one that was asked from. */
      readonly known: boolean;
    }
  | { readonly verb: "unhold"; readonly bead: string }
  | { readonly verb: "retry"; readonly beads: readonly string[]; readonly underWay: boolean }
  | { readonly verb: "nudge"; readonly bead: string; readonly text: string; readonly cut: boolean }
  | StopChange
  | { readonly verb: "drain" }
  | { readonly verb: "resize"; readonly max: number | null }
  /** With the hold that keeps the bead from being taken all the same. */
  | { readonly verb: "inject"; readonly bead: string; readonly hold: Hold | null };

export interface StopChange {
  readonly verb: "stop";
  /** Null for all of the run. */
  readonly bead: string | null;
  readonly force: boolean;
  /** The beads that stay stopped; null when that was not asked for. */
  readonly hold: readonly string[] | null;
  /** Nothing new is started, because of this command or an earlier one. */
  readonly drain: boolean;
}

export type FoundAlready =
  /** None of so many that are blocked is blocked for that reason. */
  | { readonly verb: "retry"; readonly reason: string | null; readonly blocked: number }
  | { readonly verb: "hold"; readonly bead: string; readonly hold: Hold }
  | { readonly verb: "drain"; readonly request: ControlRequest }
  | { readonly verb: "inject"; readonly bead: string; readonly request: ControlRequest };

/** Codes are stable, for tools. */
export type ControlRefusal =
  | { readonly code: "read_only"; readonly type: string; readonly needs: string }
  | { readonly code: "before_run"; readonly verb: ControlVerb }
  /** It was asked of a run that another one came after, or that is not on record. */
  | { readonly code: "other_run"; readonly run: string; readonly now: string | null }
  | { readonly code: "no_run"; readonly command: ControlCommand }
  | { readonly code: "no_bead"; readonly verb: ControlVerb | ControlQuestion["verb"] }
  /** No run has taken it; `near` are beads of similar names that runs did take. */
  | { readonly code: "unknown_bead"; readonly bead: string; readonly near: readonly string[] }
  /** The work source does not have it. */
  | { readonly code: "absent_bead"; readonly bead: string }
  | { readonly code: "closed_bead"; readonly bead: string }
  /** The run takes nothing new any more. The hold would keep the bead from the next one too. */
  | {
      readonly code: "draining";
      readonly bead: string;
      readonly request: ControlRequest;
      readonly hold: Hold | null;
    }
  | { readonly code: "landed"; readonly slot: Slot; readonly verb: "hold" | "inject" }
  | { readonly code: "not_at_work" | "not_blocked" | "taken"; readonly slot: Slot }
  | { readonly code: "not_held"; readonly bead: string }
  | { readonly code: "too_wide"; readonly max: number; readonly ceiling: number };

export function refuse(refusal: ControlRefusal): ControlRefused {
  return { kind: "refuse", refusal };
}

/** Who acts on it: the ledger's record is enough, or the engine has to. */
export function append(
  by: "record" | "engine",
  events: NewEvent | readonly NewEvent[],
  change: ControlChange,
): ControlDecision {
  const all = "type" in events ? [events] : events;
  return { kind: "append", events: all, done: by === "record", change, silent: null };
}
