import type { Repository } from "../state.js";
import type { World } from "../world.js";

/** Ends what a switch has held back. */
export interface PullBuilders {
  /** Pull requests show what was pushed, as from now. One whose base was moved meanwhile stays open. */
  showHeads(): Promise<void>;
  /** Pull requests that have become a part of their base are merged, as from now. */
  markMerges(): Promise<void>;
}

export function pullBuilders(world: World): PullBuilders {
  const lastPusher = ({ activity, owner }: Repository) => activity.at(-1)?.actor ?? owner;
  const settle = async () => {
    for (const repository of world.state.repositories)
      await world.settlePulls(repository, lastPusher(repository));
  };
  return {
    showHeads: () => {
      world.switches.holdHeads = false;
      return settle();
    },
    markMerges: () => {
      world.switches.holdMerges = false;
      return settle();
    },
  };
}
