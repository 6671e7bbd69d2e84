import type { RunningCommand } from "../core/land/land-progress.js";
import type { LandTurn } from "../ports/land-turn.js";

interface WatchedTurns {
  readonly landTurn: () => Promise<LandTurn>;
  /** The gate's command that runs in a turn of ours; null when none does. */
  readonly running: () => RunningCommand | null;
}

/** The same turns, and what we said last of what we do in them. */
export function watchTurns(landTurn: () => Promise<LandTurn>): WatchedTurns {
  let running: RunningCommand | null = null;
  return {
    running: () => running,
    async landTurn() {
      const turn = await landTurn();
      if (turn.kind === "theirs") return turn;
      return {
        kind: "ours",
        tell(work) {
          running = work.running ?? null;
          turn.tell(work);
        },
        async release() {
          running = null;
          await turn.release();
        },
      };
    },
  };
}
