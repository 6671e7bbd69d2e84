import { byteLength } from "../../../lib/fit/cut-bytes.js";
import { fitLines } from "../../../lib/fit/fit-lines.js";
import type { PoolStanding } from "../../govern/governor-standing.js";
import type { RunReport } from "../../run/plan/run-report.js";
import { poolLine } from "../govern/governor-text.js";
import { markdownTable, shownCode, shownSentence, shownText } from "../markdown.js";
import { type RunSummary, summarySentence } from "../run/progress.js";
import { dispatchRefusalSentence } from "../schedule/schedule.js";
import { modelCostLine } from "./cost-ranking.js";
import { groupName, rowLines } from "./report-tables.js";

/** GitHub refuses a step's summary above 1 MiB altogether. */
const LONGEST_BYTES = 1_000_000;
/** Mermaid draws nothing of a longer text. */
const LONGEST_CHART = 40_000;
const SHOWN_STEPS = 50;
const RESUMED =
  "This run was resumed, and the timeline begins there: what came before is in the job summary of its earlier part.";

/** A run that has ended, as markdown for a job summary; `pools` are the accounts whose cap moves by itself. */
export function runSummaryPage(
  report: RunReport,
  summary: RunSummary,
  pools: readonly PoolStanding[] = [],
): string {
  const blocks = [
    `## Run ${shownCode(report.run)}`,
    `${shownSentence(summarySentence(summary), 400)}.`,
    ...[...pools.map(poolLine), ...modelCostLine(summary.models)].map((line) => shownSentence(line, 400)),
    ...report.groups.flatMap((rows, index) => [
      ...(report.groups.length === 1 && report.mode === "rolling" && report.resumed === undefined
        ? []
        : [`### ${groupName(report, index)}`]),
      rowLines(rows).join("\n"),
    ]),
    ...waiting(summary),
    ...deferred(summary),
    ...timeline(report),
  ];
  const lines = blocks.flatMap((block) => [...block.split("\n"), ""]);
  const note = () => "\n… the rest is too long for a job summary";
  return `${fitLines(lines, { bytes: LONGEST_BYTES, note }).text.trimEnd()}\n`;
}

function waiting({ left }: RunSummary): string[] {
  if (left.length === 0) return [];
  const table = markdownTable({
    head: ["Waits for a person", "Next"],
    items: left.slice(0, SHOWN_STEPS),
    total: left.length,
    row: ({ bead, next }) => [shownCode(bead, 128), shownSentence(next.sentence, 400)],
  });
  return ["### Waiting", table];
}

function deferred({ passedOver }: RunSummary): string[] {
  if (passedOver.length === 0) return [];
  const table = markdownTable({
    head: ["Bead", "Title", "Why it was not dispatched"],
    items: passedOver,
    row: ({ bead, refusal }) => [
      shownCode(bead.id, 128),
      shownText(bead.title),
      shownSentence(dispatchRefusalSentence(refusal), 200),
    ],
  });
  return ["### Deferred", table];
}

/** Words at the beginning of a line that mean something to Mermaid. */
const KEYWORDS =
  /^(click|section|title|excludes|includes|weekend|weekday|vert|acc|(date|axis|top|tick|today|inclusive)\w*)/i;

/** When which bead was worked on. Ids of beads have no character that means something to Mermaid. */
function timeline(report: RunReport): string[] {
  const { spans, groups, now } = report;
  if (spans.length === 0) return [];
  const states = new Map(groups.flat().map(({ bead, status }) => [bead, status]));
  const mark = (bead: string, to: number | null) => {
    if (to === null) return "active, ";
    const status = states.get(bead);
    return status === "blocked" || status === "conflict" ? "crit, " : "done, ";
  };
  const lines = groups.flatMap((rows, index) => {
    const beads = new Set(rows.map(({ bead }) => bead));
    const own = spans.filter(({ bead }) => beads.has(bead));
    if (own.length === 0) return [];
    return [
      `  section ${groupName(report, index)}`,
      ...own.map(
        ({ bead, from, to }) =>
          `  ${KEYWORDS.test(bead) ? `bead ${bead}` : bead} :${mark(bead, to)}${from}, ${Math.max(from + 1, to ?? now)}`,
      ),
    ];
  });
  const chart = ["gantt", "  dateFormat x", "  axisFormat %H:%M:%S", ...lines].join("\n");
  if (byteLength(chart) > LONGEST_CHART) return [];
  return [
    "### Timeline",
    ...(report.resumed === undefined ? [] : [RESUMED]),
    `\`\`\`mermaid\n${chart}\n\`\`\``,
  ];
}
