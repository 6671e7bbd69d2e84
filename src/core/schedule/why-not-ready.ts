import { type Bead, isClosed } from "../model/bead.js";

/** What keeps one bead from being ready. */
export type NotReady =
  | { readonly kind: "status"; readonly status: string }
  /** `missing` are blockers that the work source does not have. */
  | { readonly kind: "waits"; readonly blockers: readonly string[]; readonly missing: readonly string[] }
  /** Nothing that shows: the work source or `--parent` leaves it out. */
  | { readonly kind: "left-out" };

/** To be asked about a bead that is not ready. */
export function whyNotReady(bead: Bead, beads: readonly Bead[]): NotReady {
  if (bead.status !== "open") return { kind: "status", status: bead.status };
  const closed = new Set<string>(beads.filter(isClosed).map(({ id }) => id));
  const known = new Set<string>(beads.map(({ id }) => id));
  const blockers = bead.blockers.filter((id) => known.has(id) && !closed.has(id));
  const missing = bead.blockers.filter((id) => !known.has(id));
  return blockers.length + missing.length > 0 ? { kind: "waits", blockers, missing } : { kind: "left-out" };
}
