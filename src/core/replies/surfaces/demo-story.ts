import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";
import { wrapText } from "../../../lib/wrap-text.js";
import type { LedgerEvent } from "../../run/ledger/ledger-event.js";
import { collision } from "../../schedule/conflict.js";
import { DEMO_MARGIN, DEMO_WIDTH } from "./demo.js";

/** Something that happened to a bead, as the demo shows it. */
export interface StoryRow {
  readonly seconds: number;
  readonly bead: string;
  readonly word:
    | "starts"
    | "again"
    | "died"
    | "sent back"
    | "gate red"
    | "opened"
    | "closed"
    | "landed"
    | "blocked"
    | "finished";
  readonly text: string;
  /** Said below it; empty for nothing. */
  readonly note: string;
}

type Dispatching = Extract<LedgerEvent, { readonly type: "slot.dispatching" }>;

/**
 * The ledger of a run as a story: one row for each turn that a bead takes. What happens every time (an agent starts,
 * a review finds nothing, a gate is green) is no turn. More events only ever add rows.
 */
export function tellRun(events: readonly LedgerEvent[]): StoryRow[] {
  const began = Date.parse(events.find(({ type }) => type === "run.started")?.at ?? "");
  return events.flatMap((event, at) => {
    const turn = event.bead === undefined ? null : turnOf(event, events.slice(0, at));
    if (turn === null || event.bead === undefined) return [];
    const seconds = Math.max(0, (Date.parse(event.at) - began) / 1000);
    return [{ seconds, bead: event.bead, note: "", ...turn }];
  });
}

type Turn = Pick<StoryRow, "word" | "text"> & { readonly note?: string };

function turnOf(event: LedgerEvent, before: readonly LedgerEvent[]): Turn | null {
  const own = before.filter(({ bead }) => bead === event.bead);
  switch (event.type) {
    case "slot.dispatching":
      return event.data.task === "implement" ? startOf(event, before, own) : null;
    case "slot.ended":
      return event.data.outcome === "completed" ? null : { word: "died", text: plainText(event.data.detail) };
    case "slot.reviewed":
      if (event.data.verdict !== "blocking") return null;
      return {
        word: "sent back",
        text: plainText(event.data.note).replace(/^review blocks; /, ""),
      };
    // Before the review, or at the landing.
    case "slot.refused":
    case "land.refused":
      return event.data.result === "gate-failed"
        ? { word: "gate red", text: plainText(event.data.detail) }
        : null;
    case "land.landed":
      return { word: "landed", text: `as ${event.data.head.slice(0, 7)}: ${wayOf(own)}` };
    case "pull.opened":
      return { word: "opened", text: `pull request #${event.data.pull}: ${wayOf(own)}` };
    case "pull.closed":
      return { word: "closed", text: plainText(event.data.reason) };
    case "slot.finished":
      return { word: "finished", text: "waits for koryph land" };
    case "slot.blocked":
      return { word: "blocked", text: plainText(event.data.reason) };
    default:
      return null;
  }
}

function startOf(event: Dispatching, before: readonly LedgerEvent[], own: readonly LedgerEvent[]): Turn {
  const attempt = own.filter(isImplementing).length + 1;
  if (attempt === 1)
    return { word: "starts", text: cutText(plainText(event.data.title), 46), note: whyWaited(event, before) };
  const queued = own.findLast((each) => each.type === "slot.queued");
  const report = queued?.type === "slot.queued" ? queued.data.report : null;
  const how = report === null ? HOW[event.data.start] : GIVEN[report];
  return { word: "again", text: `attempt ${attempt}, ${how}` };
}

const GIVEN = {
  review: "with the review's findings",
  gate: "with the gate's output",
  style: "with the commits to reword",
  conflict: "with the conflict",
} as const;

const HOW = { resume: "on top of its commits", fresh: "from the start" } as const;

/** Empty for a bead of a run's first wave: what it waited for, the ledger does not say. */
function whyWaited(event: Dispatching, all: readonly LedgerEvent[]): string {
  const before = all.slice(all.findLastIndex(({ type }) => type === "run.started") + 1);
  if (!before.some(({ type }) => type === "slot.ended" || type === "land.landed")) return "";
  const inTheWay = before.filter(isImplementing).flatMap((other) => {
    const tokens = collision(event.data.footprint, other.data.footprint)?.tokens;
    return tokens === undefined || other.bead === event.bead ? [] : [{ bead: other.bead, tokens }];
  });
  const last = inTheWay.at(-1);
  return last === undefined
    ? "waited: all slots were taken"
    : `waited: ${last.bead} had ${plainText(last.tokens.join(", "))}`;
}

export function isImplementing(event: LedgerEvent): event is Dispatching {
  return event.type === "slot.dispatching" && event.data.task === "implement";
}

/** What it went through on its way to the default branch. */
function wayOf(own: readonly LedgerEvent[]): string {
  const reviewed = own.some(({ type }) => type === "slot.reviewed");
  const replayed = own.findLast(({ type }) => type === "land.rebased" || type === "land.requested");
  return [
    ...(reviewed ? ["review passed"] : []),
    ...(replayed?.type === "land.rebased" ? ["rebased"] : []),
    "gate green",
  ].join(", ");
}

const TIME = 6;
const BEAD = 8;
const WORD = 9;
const TEXT = DEMO_MARGIN.length + TIME + BEAD + WORD + 6;

/** A row in aligned columns; what does not fit stands below, in the column of the text. */
export function storyLines({ seconds, bead, word, text, note }: StoryRow): [string, ...string[]] {
  const width = DEMO_WIDTH - TEXT;
  const [first = "", ...more] = [...wrapText(text, width), ...(note === "" ? [] : wrapText(note, width))];
  const time = `${seconds.toFixed(1)} s`.padStart(TIME);
  return [
    `${DEMO_MARGIN}${time}  ${bead.padEnd(BEAD)}  ${word.padEnd(WORD)}  ${first}`,
    ...more.map((line) => `${" ".repeat(TEXT)}${line}`),
  ];
}
