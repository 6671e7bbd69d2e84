import { attemptTrouble } from "../../core/replies/run/attempts.js";
import type { OtherAttempts } from "../../ports/agent-processes.js";
import type { EngineParts } from "../engine-parts.js";

/**
 * Whoever can push can write into the ledger that an agent is gone. So it is looked whether one lives, before
 * another takes its place or its bead goes back. Throws when one cannot be ended.
 */
export async function endOtherAttempts(
  bead: string,
  others: Omit<OtherAttempts, "home">,
  { processes, worktrees, folders, report }: EngineParts,
): Promise<void> {
  // One for all attempts at the bead, so it does not matter which is named.
  const any = { run: "any", bead, attempt: 1 };
  let ended = 0;
  for (const home of [folders.home(any), folders.keyHome(any)])
    ended += await processes.sweep({ home, ...others }, worktrees.pathOf(bead));
  if (ended > 0) report({ kind: "trouble", what: attemptTrouble.ended(bead, ended) });
}
