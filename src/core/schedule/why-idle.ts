import { type Bead, isClosed } from "../model/bead.js";
import { DependencyOrder } from "./dependency-order.js";
import type { NotReady } from "./why-not-ready.js";
import { descendantsOf } from "./work-graph.js";

/** Open issues that would be beads with the label that releases them. */
export interface Unreleased {
  readonly count: number;
  readonly label: string;
}

/** Why no bead is ready. */
export type Idle =
  | { readonly kind: "no-beads"; readonly unreleased?: Unreleased }
  | { readonly kind: "no-children"; readonly parent: string }
  | { readonly kind: "all-closed"; readonly parent: string | null; readonly unreleased?: Unreleased }
  /** The one bead that was asked for. */
  | { readonly kind: "not-ready"; readonly bead: string; readonly why: NotReady }
  | {
      readonly kind: "waiting";
      /** Open beads whose status is another than `open`: somebody has them, or put them aside. */
      readonly taken: number;
      /** Those that wait for other beads. */
      readonly waiting: number;
      /** Those of them that no work of others will ever make ready: they are in one of the next two, or behind. */
      readonly stuck: number;
      readonly circle: number;
      /** They depend on a bead that does not exist. */
      readonly missing: number;
      /** There are ready beads besides, which no agent gets. */
      readonly besides: boolean;
    };

export interface IdleFacts {
  /** The bead that the search was limited to. */
  readonly parent?: string | null | undefined;
  /** Beads that are ready and that no agent gets. */
  readonly ready?: readonly string[] | undefined;
  /** Absent where the work source has no such thing. */
  readonly unreleased?: Unreleased | null | undefined;
}

/** Null where beads are ready that no agent gets, and none of the others waits. */
export function whyIdle(
  beads: readonly Bead[],
  { parent = null, ready = [], unreleased = null }: IdleFacts = {},
): Idle | null {
  const waiting = unreleased === null || unreleased.count === 0 ? {} : { unreleased };
  if (beads.length === 0) return { kind: "no-beads", ...waiting };
  const meant = parent === null ? beads : descendantsOf(parent, beads);
  if (parent !== null && meant.length === 0) return { kind: "no-children", parent };
  const ids = new Set<string>(meant.filter((bead) => !isClosed(bead)).map(({ id }) => id));
  if (ids.size === 0) return { kind: "all-closed", parent, ...(parent === null && waiting) };
  const open = beads.filter((bead) => !isClosed(bead));
  const order = new DependencyOrder(beads, open);
  const never = order.stuck();
  const circle = new Set(order.cycles().flat());
  const missing = new Set(order.missing.map(([position]) => position));
  const counts = { taken: 0, waiting: 0, stuck: 0, circle: 0, missing: 0 };
  for (const id of ready) ids.delete(id);
  for (const [position, bead] of open.entries()) {
    if (!ids.has(bead.id)) continue;
    if (bead.status === "open") counts.waiting += 1;
    else counts.taken += 1;
    if (bead.status !== "open" || !never.has(position)) continue;
    counts.stuck += 1;
    if (circle.has(position)) counts.circle += 1;
    else if (missing.has(position)) counts.missing += 1;
  }
  const besides = ready.length > 0;
  return besides && counts.waiting === 0 ? null : { kind: "waiting", ...counts, besides };
}
