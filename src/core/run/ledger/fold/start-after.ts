import type { Slot } from "../slot.js";

/** How the next attempt starts: with what there is, be it commits, changes in no commit, or just the agent's own memory. */
export function startAfter({
  commits,
  uncommitted,
  session,
}: Pick<Slot, "commits" | "uncommitted" | "session">): Slot["start"] {
  return commits > 0 || uncommitted || session !== null ? "resume" : "fresh";
}

/** The session that an implementer may go on with. One that could not be started is not to be asked for again. */
export function sessionAfter(
  { session: before }: Pick<Slot, "session">,
  outcome: string,
  session: string | null,
): string | null {
  return outcome === "start-failed" ? null : (session ?? before);
}
