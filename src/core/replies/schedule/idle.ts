import { plainText } from "../../../lib/plain-text.js";
import type { Idle } from "../../schedule/why-idle.js";
import type { NotReady } from "../../schedule/why-not-ready.js";

/** Why nothing is ready, without a full stop. Ids in it are beads' own. */
export function idleSentence(idle: Idle): string {
  switch (idle.kind) {
    case "no-beads":
      return "nothing is ready: the work source has no beads";
    case "no-children":
      return `nothing is ready: no bead lies below ${idle.parent}`;
    case "all-closed":
      return `nothing is ready: every bead${idle.parent === null ? "" : ` below ${idle.parent}`} is closed`;
    case "not-ready":
      return `bead ${idle.bead} is not ready: ${notReadyText(idle.why)}`;
    case "waiting": {
      const parts = [
        ...(idle.taken > 0 ? [`${idle.taken} taken or set aside`] : []),
        ...(idle.waiting > 0 ? [`${idle.waiting} waiting for others`] : []),
      ].join(", ");
      const stuck =
        idle.stuck > 0
          ? `; ${idle.stuck} of these can never become ready, \`koryph plan audit\` says why`
          : "";
      return `nothing is ready: of the open beads ${parts}${stuck}`;
    }
  }
}

/** Why one bead is not ready, without a full stop. */
export function notReadyText(why: NotReady): string {
  switch (why.kind) {
    case "status":
      return `its status is ${plainText(why.status)}`;
    case "waits":
      return `it waits for ${why.blockers.map(plainText).join(", ")}`;
    case "left-out":
      return "the work source does not list it as ready, or --parent leaves it out";
  }
}
