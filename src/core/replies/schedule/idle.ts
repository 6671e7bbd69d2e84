import type { Idle } from "../../schedule/why-idle.js";

/** Why nothing is ready, without a full stop. Ids in it are beads' own. */
export function idleSentence(idle: Idle): string {
  switch (idle.kind) {
    case "no-beads":
      return "nothing is ready: the work source has no beads";
    case "no-children":
      return `nothing is ready: no bead lies below ${idle.parent}`;
    case "all-closed":
      return `nothing is ready: every bead${idle.parent === null ? "" : ` below ${idle.parent}`} is closed`;
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
