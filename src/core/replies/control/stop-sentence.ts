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
      ? `${agents} killed; what ${they} not committed is kept for the next attempt`
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

/** The engine has its own setting for the wait, which nobody else knows, so no number is told. */
function againSentence({ bead }: StopChange, { verb }: Style): string {
  const [beads, them] = bead === null ? ["each bead", "them"] : ["the bead", "it"];
  const stays = `${verb(`stop ${bead ?? "--run"} --hold`)} keeps ${them} stopped`;
  return `${beads} is queued again unless its commits are complete, and starts after the wait that a failed attempt brings (${stays})`;
}
