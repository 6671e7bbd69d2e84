import type { Slot, SlotStatus } from "../ledger/slot.js";
import { isOpen } from "../ledger/slot-groups.js";

/** One bead of a run, as everybody who shows the run shows it. */
export interface ReportRow
  extends Pick<
    Slot,
    | "bead"
    | "title"
    | "footprint"
    | "model"
    | "task"
    | "tries"
    | "costUsd"
    | "costKnown"
    | "pull"
    | "note"
    | "noteCode"
    | "review"
    | "landed"
    | "flags"
  > {
  readonly status: SlotStatus;
  readonly stopping: boolean;
  /** Since when it has been so. */
  readonly at: string;
}

export function reportRow(slot: Slot): ReportRow {
  const { bead, title, footprint, model, task, tries, costUsd, costKnown, pull, landed, status, at } = slot;
  const { note, noteCode, review, flags } = slot;
  return {
    ...{ bead, title, footprint, model, task, tries, costUsd, costKnown, pull, landed, status, at },
    ...{ note, noteCode, review, flags, stopping: slot.stopping !== null && status === "running" },
  };
}

/** When a bead had an agent, or its work was checked and landed: from its dispatch to its rest. */
interface ReportSpan {
  readonly bead: string;
  readonly from: number;
  /** Null while it goes on. */
  readonly to: number | null;
}

/**
 * Beads in the order of their first dispatch, in groups: a wave, or what one refill of freed places started. What an
 * earlier run left and this one took over is a group of its own, the first.
 */
export interface ReportGroups {
  readonly groups: readonly (readonly string[])[];
  readonly spans: readonly ReportSpan[];
  /** A place was freed since the last dispatch. */
  readonly freed: boolean;
}

export const NO_GROUPS: ReportGroups = { groups: [], spans: [], freed: false };

type Seen = readonly Pick<Slot, "bead" | "status">[];

/** What the next look at the run's slots adds. `mode` says what begins a group: a wave at rest, or a freed place. */
export function groupSlots(
  before: ReportGroups,
  slots: Seen,
  { mode, now }: { readonly mode: "rolling" | "wave"; readonly now: number },
): ReportGroups {
  const open = new Set(slots.filter(isOpen).map(({ bead }) => bead));
  const ended = before.spans.filter(({ bead, to }) => to === null && !open.has(bead));
  const running = new Set(before.spans.filter(({ to }) => to === null).map(({ bead }) => bead));
  const begun = [...open].filter((bead) => !running.has(bead));
  const known = new Set(before.groups.flat());
  const added = slots.map(({ bead }) => bead).filter((bead) => !known.has(bead));
  const last = before.groups.at(-1) ?? [];
  const freed = before.freed || ended.length > 0;
  const opens = last.length === 0 || (mode === "wave" ? !last.some((bead) => open.has(bead)) : freed);
  const groups =
    added.length === 0
      ? before.groups
      : opens
        ? [...before.groups, added]
        : [...before.groups.slice(0, -1), [...last, ...added]];
  return {
    groups,
    spans: [
      ...before.spans.map((span) => (ended.includes(span) ? { ...span, to: now } : span)),
      ...begun.map((bead) => ({ bead, from: now, to: null })),
    ],
    freed: added.length > 0 ? false : freed,
  };
}

/** A run as it stands. */
export interface RunReport {
  readonly run: string;
  readonly mode: "rolling" | "wave";
  readonly groups: readonly (readonly ReportRow[])[];
  readonly spans: readonly ReportSpan[];
  /**
   * Absent for a run that began here. What one that was resumed did before has rows and no spans; `earlier` says whether
   * its first group is that.
   */
  readonly resumed?: { readonly earlier: boolean } | undefined;
  /** Null while it goes on. */
  readonly ended: { readonly reason: string; readonly outcome: string } | null;
  readonly now: number;
}

/** The report of a run whose slots are these. */
export function runReport(
  slots: readonly Slot[],
  { groups, spans }: ReportGroups,
  rest: Pick<RunReport, "run" | "mode" | "resumed" | "ended" | "now">,
): RunReport {
  const rows = new Map(slots.map((slot) => [slot.bead, reportRow(slot)]));
  const found = groups.map((beads) => beads.flatMap((bead) => rows.get(bead) ?? []));
  return { ...rest, groups: found, spans };
}
