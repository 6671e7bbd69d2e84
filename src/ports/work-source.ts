import type { Bead } from "../core/model/bead.js";
import type { ClaimAnswer } from "../core/model/claim.js";
import type { Unreleased } from "../core/schedule/why-idle.js";

/** How a bead stands, for the tracker's readers. */
export interface ShownStanding {
  /** An agent has it, it waits for somebody, or it is given up until somebody looks at it. */
  readonly kind: "at-work" | "waits" | "blocked";
  /** Markdown. */
  readonly text: string;
}

/**
 * Where beads come from and where their state is written back. Every verb throws a `UserError` when the
 * source cannot be reached or is malformed, and then nothing was changed. Every verb may be repeated.
 */
export interface WorkSource {
  /** Every bead there is, closed ones included, in the tracker's order. */
  all(): Promise<readonly Bead[]>;
  /** Open beads whose blockers are all closed; with `parent`, only those below it, however deep. */
  ready(options?: { readonly parent?: string }): Promise<readonly Bead[]>;
  /** Null when there is no such bead. */
  get(id: string): Promise<Bead | null>;
  /** Direct children, closed ones included; empty when there are none. */
  children(id: string): Promise<readonly Bead[]>;

  /** Puts an open bead in progress in the name of `who`. Of several at once, one gets it. */
  claim(id: string, who: string): Promise<ClaimAnswer>;
  /** Opens a bead that is in progress, for anyone to claim. Any other bead stays as it is. */
  release(id: string): Promise<void>;
  /** Closes a bead. One that is closed already keeps its first reason. */
  close(id: string, reason: string): Promise<"closed" | "gone">;
  /** Adds a comment, unless one with this key is there. Keys are letters, digits and `._:/@-`. */
  comment(id: string, text: string, key: string): Promise<"added" | "gone">;
  /** What would be work once somebody releases it, by what `all` read last. Absent where nothing has to be released. */
  unreleased?(): Unreleased | null;
  /** Shows how a bead stands in the one place there is for it. Absent where there is none: there, comments tell. */
  show?(id: string, standing: ShownStanding): Promise<"shown" | "gone">;
}
