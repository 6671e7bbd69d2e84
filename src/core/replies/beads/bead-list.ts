import { cutText } from "../../../lib/cut-text.js";
import type { Paint } from "../../../lib/paint.js";
import { plainText } from "../../../lib/plain-text.js";
import { table } from "../../../lib/table.js";
import type { BeadStanding, ListedBead } from "../../run/plan/list-beads.js";
import { nextOfSlot } from "../run/next-of-slot.js";
import { statusWord } from "./status-word.js";

const WIDEST_TITLE = 44;
const MOST_BLOCKERS = 5;

/** The backlog as a person reads it. */
export function beadListText(listed: readonly ListedBead[], paint: Paint): string[] {
  if (listed.length === 0) return ["no bead is open; `koryph list --all` shows closed ones"];
  return table(
    listed.map(({ bead, standing }) => [
      bead.id,
      `P${bead.priority}`,
      painted(standing, paint),
      cutText(plainText(bead.title), WIDEST_TITLE),
      paint.faint(afterText(standing)),
    ]),
  );
}

/** A promise to programs, as docs/json.md describes it. */
export function beadListJson(listed: readonly ListedBead[], project: string) {
  return {
    project_id: project,
    beads: listed.map(({ bead, standing }) => ({
      id: bead.id,
      title: bead.title,
      priority: bead.priority,
      labels: bead.labels,
      parent: bead.parent,
      standing: standingWord(standing),
      pull: standing.kind === "slot" ? standing.slot.pull : null,
      blockers: standing.kind === "waits" ? standing.blockers : [],
      next:
        standing.kind === "slot" ? nextOfSlot(standing.slot, standing.hold, standing.underWay).text : null,
    })),
  };
}

function standingWord(standing: BeadStanding): string {
  switch (standing.kind) {
    case "slot":
      return statusWord(standing.slot.status);
    case "status":
      return plainText(standing.status);
    case "closed":
    case "held":
    case "ready":
    case "waits":
      return standing.kind;
  }
}

function painted(standing: BeadStanding, paint: Paint): string {
  const word = standingWord(standing);
  if (word === "blocked" || word === "conflict" || word === "held") return paint.warning(word);
  if (word === "finished" || word === "landed" || word === "pr-opened") return paint.good(word);
  return word === "ready" || standing.kind === "slot" ? word : paint.faint(word);
}

/** What it waits for, or what brings it on; empty when the word before says it all. */
function afterText(standing: BeadStanding): string {
  switch (standing.kind) {
    case "slot":
      return nextOfSlot(standing.slot, standing.hold, standing.underWay).text;
    case "held": {
      const { actor, reason } = standing.hold;
      return plainText(`by ${actor}${reason === "" ? "" : `: ${reason}`}`);
    }
    case "waits": {
      const { missing } = standing;
      const blockers = standing.blockers.filter((id) => !missing.includes(id));
      return plainText(
        [
          ...(blockers.length > 0 ? [`for ${few(blockers)}`] : []),
          ...(missing.length > 0 ? [`there is no such bead: ${few(missing)}`] : []),
        ].join("; "),
      );
    }
    case "closed":
    case "ready":
    case "status":
      return "";
  }
}

function few(ids: readonly string[]): string {
  const more = ids.length > MOST_BLOCKERS ? ` and ${ids.length - MOST_BLOCKERS} more` : "";
  return `${ids.slice(0, MOST_BLOCKERS).join(", ")}${more}`;
}
