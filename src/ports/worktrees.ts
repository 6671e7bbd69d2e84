import type { Leftover } from "../core/model/leftover.js";
import type { BesideMoves } from "./ledger.js";

interface WorktreeFacts {
  readonly path: string;
  /** Commit of the default branch that the work starts from. */
  readonly base: string;
  readonly head: string;
  /** Commits on the bead's branch that the default branch does not have. */
  readonly commits: number;
}

export interface PrepareRequest {
  readonly bead: string;
  /** Fresh rebuilds from the default branch; resume keeps the commits and brings them onto it. */
  readonly start: "fresh" | "resume";
  /** Commit of the default branch that the work stood on when it was last recorded, where anybody knows. */
  readonly began?: string | null;
  readonly bootstrap: readonly string[];
  /** Ends a bootstrap that is under way: the clone is then unfinished. */
  readonly abort?: AbortSignal;
  /** Where work that would be lost by a rebuild is kept as a patch, and logs of bootstrap go. */
  readonly folder: string;
}

export type Prepared =
  | {
      readonly kind: "ready";
      readonly facts: WorktreeFacts;
      /** The commits could not be brought onto the default branch, and CONFLICT.md in the clone says why. */
      readonly conflict: boolean;
      readonly leftover: Leftover;
    }
  | { readonly kind: "failed"; readonly reason: string };

/** What the agent left, read without running any git inside its clone. */
export interface Collected {
  readonly head: string | null;
  /** Commit of the default branch, as it was then, that they stand on; null when that is not known. */
  readonly began: string | null;
  readonly commits: number;
  readonly dirty: boolean;
  /** Things that landing cannot handle: submodules, LFS pointers, merge commits; each named. */
  readonly findings: readonly string[];
}

/** Agents' private clones, and the engine's own `repo.git` behind them. All verbs may be repeated. */
export interface Worktrees {
  /** Brings `repo.git` to what the remote has. Throws a `UserError` when the remote cannot be reached. */
  fetch(): Promise<{ readonly defaultBranch: string; readonly base: string }>;
  prepare(request: PrepareRequest): Promise<Prepared>;
  /** Where the bead's clone is, whether or not it exists. */
  pathOf(bead: string): string;
  /** Unfinished: a crash left it half made, and the next prepare repairs it. */
  state(bead: string): Promise<"absent" | "ready" | "unfinished">;
  /** Brings the agent's commits into `repo.git` as `agent/<bead>` and says what is there. */
  collect(bead: string): Promise<Collected>;
  /** Saves the bead's commits to `refs/koryph/wip/<bead>` on the remote. Throws a `UserError` when they add a secret. */
  checkpoint(bead: string): Promise<void>;
  /** What a push has to move to save what these beads' agents have committed by now; nothing that adds a secret. */
  unsaved(beads: readonly string[]): Promise<BesideMoves>;
  /** Somebody's push has moved these. */
  noteSaved(refs: BesideMoves["refs"]): Promise<void>;
  /** Deletes the clone, unless it holds changes that are in no commit. */
  remove(bead: string): Promise<"removed" | "kept-dirty" | "absent">;
}
