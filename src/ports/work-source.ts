import type { Bead } from "../core/model/bead.js";

/** Where beads come from. Reads throw a `UserError` when the source cannot be read. */
export interface WorkSource {
  /** Every bead there is, closed ones included, in the tracker's order. */
  all(): Promise<readonly Bead[]>;
  /** Open beads whose blockers are all closed; with `parent`, only those below it, however deep. */
  ready(options?: { readonly parent?: string }): Promise<readonly Bead[]>;
  /** Null when there is no such bead. */
  get(id: string): Promise<Bead | null>;
  /** Direct children, closed ones included; empty when there are none. */
  children(id: string): Promise<readonly Bead[]>;
}
