import type { StopChange } from "../../control/control-decision.js";
import type { Style } from "./style.js";

/** What a stop does to the agents, and when their beads start again. */
export function stopSentence(change: StopChange, style: Style): string {
  const { bead, force, drain, hold } = change;
  const [agents, they] =
    bead === null
      ? ["all agents of the run are", "they have"]
      : [`the agent of ${style.name(bead)} is`, "it has"];
  return [
    force
      ? `${agents} killed; what ${they} not committed is lost`
      : `${agents} asked to stop; what ${they} committed is kept`,
    ...(drain ? ["nothing new is started, then the run ends"] : []),
    ...(hold === null ? [] : [heldSentence(hold, style)]),
    ...(drain || hold !== null ? [] : [againSentence(change, style)]),
  ].join("; ");
}

function heldSentence(beads: readonly string[], { name, verb }: Style): string {
  const [last = "", ...others] = beads.map(name).reverse();
  if (last === "") return "no agent is on record yet, so no bead is held";
  return others.length === 0
    ? `${last} stays stopped until ${verb(`unhold ${beads[0]}`)}`
    : `${others.reverse().join(", ")} and ${last} stay stopped, each until ${verb("unhold <bead>")}`;
}

function againSentence({ bead, waitSeconds }: StopChange, { verb }: Style): string {
  const [beads, them] = bead === null ? ["each bead", "them"] : ["the bead", "it"];
  const stays = `${verb(`stop ${bead ?? "--run"} --hold`)} keeps ${them} stopped`;
  return `${beads} is queued again unless its commits are complete, and starts ${waitSeconds} s later at the earliest (${stays})`;
}
