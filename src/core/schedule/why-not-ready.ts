import { type Bead, isClosed } from "../model/bead.js";

/** What keeps one bead from being ready. */
export type NotReady =
  | { readonly kind: "status"; readonly status: string }
  | { readonly kind: "waits"; readonly blockers: readonly string[] }
  /** Nothing that shows: the work source or `--parent` leaves it out. */
  | { readonly kind: "left-out" };

/** To be asked about a bead that is not ready. */
export function whyNotReady(bead: Bead, beads: readonly Bead[]): NotReady {
  if (bead.status !== "open") return { kind: "status", status: bead.status };
  const closed = new Set<string>(beads.filter(isClosed).map(({ id }) => id));
  const blockers = bead.blockers.filter((id) => !closed.has(id));
  return blockers.length > 0 ? { kind: "waits", blockers } : { kind: "left-out" };
}
