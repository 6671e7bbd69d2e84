import type { Bead } from "../../core/model/bead.js";
import { runAdvice } from "../../core/replies/run/run.js";
import { UserError } from "../../lib/user-error.js";

/** Throws when agents may not work on the bead's text as it is now: somebody may have changed it under their hands. */
export function refuseWithheld(bead: Pick<Bead, "id" | "release"> | null): void {
  if (bead?.release?.kind === "withheld")
    throw UserError.of(runAdvice.notReleased(bead.id, bead.release.why));
}
