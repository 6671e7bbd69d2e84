import type { PullStanding } from "../../../control/pull-standing.js";
import { shownCode } from "../../markdown.js";
import { carriedText } from "./carried-text.js";
import { standingNext, standingSentence, standingTable } from "./standing-text.js";

/** A hidden line by which we find our status comment again. We never decide by it. */
export function statusMarker(thread: number): string {
  return `<!-- koryph:status ${thread} -->`;
}

/** The thread whose status comment begins like this; null for what is none. */
export function markedThread(body: string): number | null {
  const digits = /^<!-- koryph:status (\d{1,15}) -->/.exec(body)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** The one comment on a pull request that says how it stands, in markdown. `url` is the repository's on GitHub. */
export function statusComment(standing: PullStanding, url: string): string {
  const next = standingNext(standing);
  const table = standingTable(standing);
  const proof = carriedText(standing, url);
  return [
    statusMarker(standing.pull),
    `**koryph**: ${standingSentence(standing, url)}.${next === "" ? "" : ` Next: ${next}.`}`,
    ...[table, proof].flatMap((part) => (part === "" ? [] : ["", part])),
    "",
    STATUS_FOOT,
  ].join("\n");
}

/** The last line of every status comment. */
export const STATUS_FOOT = `<sub>Edited as things change. ${shownCode("/koryph help")} lists what you can type.</sub>`;
