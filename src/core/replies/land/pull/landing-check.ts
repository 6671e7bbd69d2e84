import { byteLength, cutBytes } from "../../../../lib/fit/cut-bytes.js";
import type { PullStanding } from "../../../control/pull-standing.js";
import { menderOf } from "../../../land/pull/pull-refusal.js";
import { carriedText } from "./carried-text.js";
import { standingJson, standingNext, standingSentence, standingTable } from "./standing-text.js";

/** How the check run is called on every pull request that koryph has to do with. */
export const LANDING_CHECK = "koryph / landing";

/** GitHub takes 65,535 bytes of each text. */
const MOST_BYTES = 60_000;

/** A check run that shows how a pull request stands. */
export interface LandingCheck {
  readonly name: string;
  readonly head: string;
  /** Two pull requests may have one head. */
  readonly externalId: string;
  readonly conclusion: "success" | "neutral" | "action_required";
  readonly title: string;
  readonly summary: string;
  readonly text: string;
}

/** `url` is the repository's on GitHub. */
export function landingCheck(standing: PullStanding, url: string): LandingCheck {
  const next = standingNext(standing);
  const sentence = [standingSentence(standing, url), ...(next === "" ? [] : [`next: ${next}`])].join("; ");
  const table = standingTable(standing);
  const proof = carriedText(standing, url);
  const rest = MOST_BYTES - byteLength(proof);
  const said = cutBytes(table === "" ? sentence : `${sentence}\n\n${table}`, rest);
  return {
    name: LANDING_CHECK,
    head: standing.head,
    externalId: `koryph-landing ${standing.pull}`,
    conclusion: conclusionOf(standing),
    title: titleOf(standing),
    summary: proof === "" ? said : `${said}\n\n${proof}`,
    text: cutBytes(standingJson(standing), MOST_BYTES),
  };
}

/**
 * Neutral holds nothing up and looks like no failure, which is right for a pull request that is on its way. Somebody who
 * asked for a landing and was refused has something to do.
 */
function conclusionOf({ phase }: PullStanding): LandingCheck["conclusion"] {
  if (phase.kind === "landed") return "success";
  return phase.kind === "open" && phase.refused !== null ? "action_required" : "neutral";
}

function titleOf({ phase, hold, unmet }: PullStanding): string {
  const missing = unmet.filter((each) => menderOf(each) !== "koryph").length + (hold === null ? 0 : 1);
  const lacks =
    missing === 0 ? "nothing is missing" : `${missing} ${missing === 1 ? "thing is" : "things are"} missing`;
  switch (phase.kind) {
    case "landed":
      return "Landed";
    case "merged":
      return "Merged on GitHub";
    case "closed":
      return "Closed without landing";
    case "landing":
      return `Landing: ${lacks}`;
    case "open":
      return phase.refused === null ? `Not landing: ${lacks}` : `Refused: ${lacks}`;
  }
}
