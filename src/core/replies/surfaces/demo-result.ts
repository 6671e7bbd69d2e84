import { naturalOrder } from "../../../lib/natural-order.js";
import { table } from "../../../lib/table.js";
import { wrapText } from "../../../lib/wrap-text.js";
import type { LedgerEvent } from "../../run/ledger/ledger-event.js";
import { DEMO_MARGIN, DEMO_WIDTH } from "./demo.js";
import { isImplementing, type StoryRow, tellRun } from "./demo-story.js";

const HEADINGS = ["bead", "result", "attempts", "reviews", "commits", "  time", "cost", "on its way"];

/** The last screen: what became of every bead, and what waits for a person. */
export function demoResult(events: readonly LedgerEvent[]): string[] {
  const story = tellRun(events);
  const beads = [...new Set(story.map(({ bead }) => bead))].sort(naturalOrder);
  const results = beads.map((bead) => resultOf(bead, story, events));
  const landed = results.filter(({ word }) => word === "landed").length;
  const waiting = results.filter(({ word }) => word === "blocked");
  const seconds = story.at(-1)?.seconds ?? 0;
  const cost = results.reduce((sum, { costUsd }) => sum + costUsd, 0);
  const summary = `${landed} of ${beads.length} beads landed in ${seconds.toFixed(1)} s, for $${cost.toFixed(2)} as the agents say.`;
  return [
    summary,
    "",
    ...table([HEADINGS, ...results.map(({ cells }) => cells)]),
    ...waiting.flatMap(({ bead, why }) => ["", ...wrapText(`${bead}: ${why}`, WIDTH), nextFor(bead, why)]),
  ].map((line) => `${DEMO_MARGIN}${line}`.trimEnd());
}

const WIDTH = DEMO_WIDTH - DEMO_MARGIN.length;

function nextFor(bead: string, why: string): string {
  return `  $ koryph ${why.startsWith("protected") ? `land ${bead} --allow-protected` : `tail ${bead}`}    # what a person does next`;
}

interface BeadResult {
  readonly bead: string;
  readonly word: StoryRow["word"];
  readonly why: string;
  readonly costUsd: number;
  readonly cells: readonly string[];
}

function resultOf(bead: string, story: readonly StoryRow[], all: readonly LedgerEvent[]): BeadResult {
  const rows = story.filter((row) => row.bead === bead);
  const events = all.filter((event) => event.bead === bead);
  const { word, text, seconds: end } = rows.at(-1) ?? { word: "starts", text: "", seconds: 0 };
  const costUsd = events.reduce(
    (sum, event) => sum + (event.type === "slot.ended" ? event.data.usage.cost_usd : 0),
    0,
  );
  const accepted = events.findLast((event) => event.type === "slot.accepted");
  return {
    bead,
    word,
    why: text,
    costUsd,
    cells: [
      bead,
      word,
      String(events.filter(isImplementing).length).padStart(8),
      String(events.filter(isReview).length).padStart(7),
      String(accepted?.type === "slot.accepted" ? accepted.data.commits : 0).padStart(7),
      `${(end - (rows[0]?.seconds ?? 0)).toFixed(1)} s`.padStart(6),
      `$${costUsd.toFixed(2)}`,
      setbacks(rows),
    ],
  };
}

function isReview(event: LedgerEvent): boolean {
  return event.type === "slot.dispatching" && event.data.task === "review";
}

function setbacks(rows: readonly StoryRow[]): string {
  const told: Partial<Record<StoryRow["word"], string>> = {
    died: "agent died",
    "gate red": "gate was red",
    "sent back": "sent back",
    blocked: "protected path",
  };
  const met = rows.flatMap(({ word }) => told[word] ?? []);
  if (met.length > 0) return met.join(", ");
  return rows.some(({ note }) => note !== "") ? "waited" : "";
}
