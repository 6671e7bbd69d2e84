import { cutText } from "../../../../lib/cut-text.js";
import {
  isReadyToLand,
  owedByOthers,
  type PullPhase,
  type PullStanding,
} from "../../../control/pull-standing.js";
import { redactText } from "../../../redact.js";
import { jsonDetails } from "../../control/json-details.js";
import { shownTime } from "../../control/style.js";
import { markdownTable, shownCode, shownSentence, shownText } from "../../markdown.js";
import { bare, typed } from "../../typed.js";
import { pullWords } from "./pull-words.js";

/** Something that a landing lacks, in plain words; what is from outside in them is made safe where they are shown. */
interface Condition {
  readonly code: string;
  readonly found: string;
  /** The address of a run at the end of it; null for none. */
  readonly link: string | null;
  readonly need: string;
  readonly who: string;
  /** Empty when there is nothing to do. */
  readonly next: string;
}

const LONGEST_FOUND = 400;
const LONGEST_NEXT = 300;

/** How a pull request stands, in one sentence, as markdown. `url` is the repository's on GitHub. */
export function standingSentence(standing: PullStanding, url: string): string {
  const { phase } = standing;
  const [head, base] = [short(standing.head), shownCode(standing.base)];
  switch (phase.kind) {
    case "landed":
      return `${short(phase.commit)} has landed on ${base}, at ${minute(phase.at)}${receiptLink(phase, url)}`;
    case "merged":
      return "merged on GitHub, without koryph";
    case "closed":
      return "closed without landing";
    case "landing":
      return `${landingSentence(phase, base)}${waits(standing)}`;
    case "open":
      return `${openSentence(standing, { head, base })}${refusedBefore(phase)}`;
  }
}

/** What to type when nothing is missing; empty in every other case. */
export function standingNext(standing: PullStanding): string {
  return isReadyToLand(standing) ? shownCode("/koryph land") : "";
}

/** Each condition that is not met, with who can meet it and how; empty when all are. */
export function standingTable(standing: PullStanding): string {
  const items = conditionsOf(standing);
  if (items.length === 0) return "";
  return markdownTable({
    head: ["what is missing", "who can change it", "how"],
    items,
    row: ({ code, found, link, need, who, next }) => [
      `${shownFound(found, link)}<br>needed: ${shownSentence(need, LONGEST_FOUND)} (${shownCode(code)})`,
      shownText(who),
      shownSentence(next, LONGEST_NEXT),
    ],
  });
}

function shownFound(found: string, link: string | null): string {
  if (link === null || !found.endsWith(link)) return shownSentence(found, LONGEST_FOUND);
  return `${shownText(found.slice(0, -link.length), LONGEST_FOUND)} [its run](${encodeURI(link)})`;
}

/** The same for tools. */
export function standingJson(standing: PullStanding): string {
  const { pull, head, base, phase, carried } = standing;
  const unmet = conditionsOf(standing).map(({ link: _, ...each }) => ({
    ...each,
    found: told(bare(each.found), LONGEST_FOUND),
    need: told(bare(each.need)),
    next: told(bare(each.next)),
  }));
  const named = { schema_version: 1, pull, head, base: told(base), approved: carried?.approved ?? null };
  return jsonDetails({ ...named, phase: toldPhase(phase), unmet });
}

/** Short enough that all conditions at once fit into a comment. */
const LONGEST_TOLD = 200;

function told(text: string, limit = LONGEST_TOLD): string {
  return cutText(redactText(text), limit);
}

function toldPhase(phase: PullPhase): PullPhase {
  if (phase.kind === "landing") return { ...phase, by: told(phase.by) };
  if (phase.kind !== "open" || phase.refused === null) return phase;
  return { ...phase, refused: { ...phase.refused, detail: told(phase.refused.detail) } };
}

function conditionsOf({ hold, unmet }: PullStanding): Condition[] {
  const held: Condition[] =
    hold === null
      ? []
      : [
          {
            code: "held",
            found: `held by ${hold.actor}${hold.reason === "" ? "" : `: ${hold.reason}`}`,
            link: null,
            need: "nobody who holds it",
            who: "somebody with the write role",
            next: typed("/koryph unhold"),
          },
        ];
  const lacking = unmet.map((each) => ({ ...pullWords(each), link: "url" in each ? each.url : null }));
  // Names of branches, files and checks are other people's words, and what they contain is posted here.
  return [...held, ...lacking].map((each) => ({ ...each, found: redactText(each.found) }));
}

function openSentence(
  standing: PullStanding,
  { head, base }: { readonly head: string; readonly base: string },
): string {
  const others = owedByOthers(standing).length;
  const count = others + (standing.hold === null ? 0 : 1);
  if (count === 0) return `nothing keeps ${head} from landing on ${base}`;
  // The table below has a row for koryph's own part as well.
  const besides = others < standing.unmet.length ? ", besides what koryph does itself" : "";
  return `${count} ${count === 1 ? "thing keeps" : "things keep"} ${head} from landing on ${base}${besides}`;
}

function refusedBefore({ refused }: Extract<PullPhase, { kind: "open" }>): string {
  if (refused === null) return "";
  const detail = shownSentence(refused.detail, LONGEST_FOUND);
  return `. Its last landing was refused at ${minute(refused.at)}: ${detail} (${shownCode(refused.code)})`;
}

function landingSentence(
  { head: queued, step, since, by, ahead }: Extract<PullPhase, { kind: "landing" }>,
  base: string,
): string {
  const head = short(queued);
  switch (step) {
    case "asked": {
      const behind = ahead === 0 ? "" : `, behind ${ahead} ${ahead === 1 ? "other" : "others"}`;
      return `${head} is in the queue for ${base} since ${minute(since)}${behind}; ${shownText(by)} asked for it`;
    }
    case "rebased":
      return `koryph has rebased it on ${base} as ${head}, at ${minute(since)}`;
    case "pushing":
      return `${head} is being put on ${base} since ${minute(since)}`;
  }
}

function waits(standing: PullStanding): string {
  if (standing.hold !== null) return ". It waits for a hold to be lifted";
  const count = owedByOthers(standing).length;
  return count === 0 ? "" : `. It waits for ${count} ${count === 1 ? "thing" : "things"}`;
}

function receiptLink({ receipt }: Extract<PullPhase, { kind: "landed" }>, url: string): string {
  return receipt === null ? "" : `; see [its receipt](${encodeURI(url)}/commit/${receipt})`;
}

function short(sha: string): string {
  return shownCode(sha.slice(0, 12));
}

/** Never depends on when it is said, so that a text that says the same again is the same. */
function minute(at: string): string {
  const [day, time] = shownTime(Date.parse(at)).split("T");
  return time === undefined ? `${day}` : `${day} ${time.slice(0, 5)} UTC`;
}
