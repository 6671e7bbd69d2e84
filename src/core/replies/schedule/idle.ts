import { plainText } from "../../../lib/plain-text.js";
import type { Idle, Unreleased } from "../../schedule/why-idle.js";
import type { NotReady } from "../../schedule/why-not-ready.js";

/** Why nothing is ready, without a full stop. Ids in it are beads' own. */
export function idleSentence(idle: Idle): string {
  switch (idle.kind) {
    case "no-beads":
      return `nothing is ready: the work source has no beads${unreleasedText(idle.unreleased)}`;
    case "no-children":
      return `nothing is ready: no bead lies below ${idle.parent}`;
    case "all-closed":
      return `nothing is ready: every bead${idle.parent === null ? "" : ` below ${idle.parent}`} is closed${unreleasedText(idle.unreleased)}`;
    case "not-ready":
      return `bead ${idle.bead} is not ready: ${notReadyText(idle.why)}`;
    case "waiting": {
      const parts = [
        ...(idle.taken > 0 ? [`${idle.taken} taken or set aside`] : []),
        ...(idle.waiting > 0 ? [`${idle.waiting} waiting for others`] : []),
      ].join(", ");
      const lead = idle.besides ? "besides these, nothing is ready" : "nothing is ready";
      return `${lead}: of the open beads ${parts}${stuckText(idle)}`;
    }
  }
}

function unreleasedText(unreleased: Unreleased | undefined): string {
  if (unreleased === undefined) return "";
  const { count, label } = unreleased;
  const [wait, where] =
    count === 1 ? ["1 open issue waits", "where"] : [`${count} open issues wait`, "on each that"];
  const may = count === 1 ? "an agent may work on it" : "an agent may work on";
  return `; ${wait} for the label ${plainText(label)}: set it ${where} ${may}, with triage rights`;
}

function stuckText({ stuck, circle, missing }: Extract<Idle, { kind: "waiting" }>): string {
  if (stuck === 0) return "";
  const behind = stuck - circle - missing;
  const kinds = [
    ...(circle > 0 ? [`${circle} in a circle`] : []),
    ...(missing > 0
      ? [`${missing} ${missing === 1 ? "depends" : "depend"} on a bead that does not exist`]
      : []),
    ...(behind > 0 ? [`${behind} behind such a bead`] : []),
  ];
  return `; ${stuck} of these can never become ready (${kinds.join(", ")}), \`koryph plan audit\` says why`;
}

/** Why one bead is not ready, without a full stop. */
export function notReadyText(why: NotReady): string {
  switch (why.kind) {
    case "status":
      return `its status is ${plainText(why.status)}`;
    case "waits":
      return [
        ...(why.blockers.length > 0 ? [`it waits for ${why.blockers.map(plainText).join(", ")}`] : []),
        ...(why.missing.length > 0
          ? [`it depends on ${why.missing.map(plainText).join(", ")}, and there is no such bead`]
          : []),
      ].join("; ");
    case "left-out":
      return "the work source does not list it as ready, or --parent leaves it out";
  }
}
