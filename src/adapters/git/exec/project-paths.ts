import { join, resolve } from "node:path";
import { parseBeadId } from "../../../core/model/bead.js";

/**
 * Where a project's repository and clones live. Only `clone` is ever shown to an agent; what the engine
 * believes about a clone stands beside it, in `own`.
 */
export interface ClonePaths {
  readonly bead: string;
  readonly branch: string;
  /** The ref that holds what was made of the branch for landing. */
  readonly candidate: string;
  readonly repo: string;
  readonly clone: string;
  /**
   * Where clones are built before they are renamed into place, and where git works in passing. Each use takes
   * a new name below: a git that outlived a killed engine goes on in its own folder, not in its successor's.
   */
  readonly making: string;
  readonly scratch: string;
  /** Clones on their way out, renamed first so that a half-deleted one is never mistaken for a whole one. */
  readonly trash: string;
  /** Old clones that nothing less than themselves could preserve. */
  readonly kept: string;
  readonly own: string;
  readonly record: string;
  readonly index: string;
  readonly incoming: string;
}

export function clonePaths(projectHome: string, bead: string): ClonePaths {
  // The name becomes folders and refs. Whoever calls has checked it; a mistake here would delete elsewhere.
  if (parseBeadId(bead) === null) throw new Error(`not a bead id: ${JSON.stringify(bead)}`);
  const home = resolve(projectHome);
  const own = join(home, "engine", bead);
  return {
    bead,
    branch: `refs/heads/agent/${bead}`,
    candidate: `refs/koryph/candidate/${bead}`,
    repo: join(home, "repo.git"),
    clone: join(home, "clones", bead),
    making: join(home, "making", bead),
    scratch: join(home, "scratch", bead),
    trash: join(home, "trash", bead),
    kept: join(home, "kept"),
    own,
    record: join(own, "clone.json"),
    index: join(own, "index"),
    incoming: join(own, "incoming.git"),
  };
}
