import type { ProjectConfig } from "../../config/project-schema.js";
import type { Dispatch, DispatchPlan } from "../../run/plan/plan-dispatch.js";
import type { PlanAudit } from "../../schedule/audit-plan.js";
import type { NotSelected } from "../../schedule/build-wave.js";
import type { ConflictingPairs } from "../../schedule/conflicting-pairs.js";
import type { Footprint } from "../../schedule/footprint.js";
import type { Idle } from "../../schedule/why-idle.js";
import { markdownTable, shownCode, shownCodes, shownSentence, shownText } from "../markdown.js";
import { warningSentence } from "./audit.js";
import { idleSentence } from "./idle.js";
import { dispatchRefusalSentence } from "./schedule.js";

export interface SummaryFacts {
  readonly config: Pick<ProjectConfig, "project_id">;
  readonly plan: DispatchPlan & { readonly idle?: Idle };
  readonly audit: PlanAudit;
  /** The bead the audit was limited to. */
  readonly epic?: string | undefined;
}

/** GitHub refuses a step's summary above 1 MiB altogether. */
const LONGEST_BYTES = 1_000_000;
const SHOWN_IDS = 50;
const SHOWN_TOKENS = 6;

/** What the dry run and the audit found, as markdown for a job summary. */
export function jobSummary(facts: SummaryFacts): string {
  return fitted([...dryRun(facts), ...auditBlocks(facts)]);
}

function dryRun({ config, plan }: SummaryFacts): string[] {
  const { dispatch, deferred, skipped } = plan;
  return [
    `## Dry run of ${shownCode(config.project_id)}`,
    outcome(plan),
    ...unlessEmpty(dispatch, () => [
      markdownTable({
        head: ["Would dispatch", "Title", "Footprint", "Model", "Landing"],
        items: dispatch,
        row: dispatchRow,
      }),
    ]),
    ...unlessEmpty(deferred, () => [`### Deferred (${deferred.length})`, reasonTable(deferred)]),
    ...unlessEmpty(skipped, () => [`### Skipped (${skipped.length})`, reasonTable(skipped)]),
  ];
}

function outcome({ ready, dispatch, width, idle }: SummaryFacts["plan"]): string {
  const why = idle ? idleSentence(idle) : "nothing is ready";
  const said = `${shownSentence(`${why.charAt(0).toUpperCase()}${why.slice(1)}`, 400)}.`;
  if (ready === 0) return said;
  return `**${dispatch.length}** of ${ready} ready ${ready === 1 ? "bead" : "beads"} would be dispatched, at most ${width} at once. Nothing was started.${idle ? ` ${said}` : ""}`;
}

function dispatchRow({ bead, footprint, model, modelWhy, mergePolicy }: Dispatch): string[] {
  return [
    shownCode(bead.id, 128),
    shownText(bead.title),
    footprintCell(footprint),
    `${shownCode(model)}, ${shownText(modelWhy)}`,
    mergePolicy,
  ];
}

function footprintCell({ writes, reads }: Footprint): string {
  const parts = [
    ...unlessEmpty(writes, () => [`writes ${shownCodes(writes, SHOWN_TOKENS)}`]),
    ...unlessEmpty(reads, () => [`reads ${shownCodes(reads, SHOWN_TOKENS)}`]),
  ];
  return parts.join("; ");
}

function reasonTable(items: readonly NotSelected[]): string {
  return markdownTable({
    head: ["Bead", "Title", "Why"],
    items,
    row: ({ bead, refusal }) => [
      shownCode(bead.id, 128),
      shownText(bead.title),
      shownSentence(dispatchRefusalSentence(refusal), 200),
    ],
  });
}

function auditBlocks({ audit, epic }: SummaryFacts): string[] {
  const { stats, parallelWidth, unlabeled, nonDispatchable, conflicts, warnings } = audit;
  return [
    `## Plan audit${epic === undefined ? "" : ` below ${shownCode(epic, 128)}`}`,
    markdownTable({
      head: ["Open", "Ready", "Dispatchable", "Tokens", "Parallel width", "If all were labelled"],
      items: [audit],
      row: () =>
        [
          audit.totalOpen,
          stats.ready,
          stats.dispatchable,
          stats.tokens,
          parallelWidth.current,
          parallelWidth.potential,
        ].map(String),
    }),
    ...unlessEmpty(unlabeled, () => [
      `**Unlabeled (${unlabeled.length})**: nothing says what they touch, so they run one at a time.`,
      shownCodes(unlabeled, SHOWN_IDS),
    ]),
    ...unlessEmpty(warnings, () => [
      folded(
        `Warnings (${warnings.length})`,
        markdownTable({
          head: ["Labels and edges that do not do what they seem to"],
          items: warnings,
          row: (warning) => [shownText(warningSentence(warning), 240)],
        }),
      ),
    ]),
    ...unlessEmpty(nonDispatchable, () => [
      folded(
        `Non-dispatchable (${nonDispatchable.length})`,
        markdownTable({
          head: ["Bead", "Why no agent gets it"],
          items: nonDispatchable,
          row: ({ id, refusal }) => [
            shownCode(id, 128),
            shownSentence(dispatchRefusalSentence(refusal), 200),
          ],
        }),
      ),
    ]),
    ...(conflicts && conflicts.total > 0 ? conflictBlocks(conflicts) : []),
  ];
}

function conflictBlocks({ total, listed, busiest }: ConflictingPairs): string[] {
  return [
    folded(
      `Conflicting pairs (${total})`,
      markdownTable({
        head: ["Bead", "Bead", "Mode", "Shared tokens"],
        items: listed,
        total,
        row: ({ a, b, mode, tokens }) => [
          shownCode(a, 128),
          shownCode(b, 128),
          mode,
          shownCodes(tokens, SHOWN_TOKENS),
        ],
      }),
    ),
    folded(
      "Busiest tokens",
      markdownTable({
        head: ["Token", "Writers", "Readers"],
        items: busiest,
        row: ({ token, writers, readers }) => [shownCode(token), `${writers}`, `${readers}`],
      }),
    ),
  ];
}

/** The empty lines matter: without them GitHub takes the body for HTML. */
function folded(title: string, body: string): string {
  return `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;
}

function unlessEmpty<T>(items: readonly T[], blocks: () => string[]): string[] {
  return items.length === 0 ? [] : blocks();
}

/** Whole blocks until the room is used up; a block cut in the middle would leave a table or a fold open. */
function fitted(blocks: readonly string[]): string {
  const encoder = new TextEncoder();
  const kept: string[] = [];
  let bytes = 0;
  for (const block of blocks) {
    bytes += encoder.encode(block).length + 2;
    if (bytes > LONGEST_BYTES) return [...kept, "… the rest is too long for a job summary\n"].join("\n\n");
    kept.push(block);
  }
  return `${kept.join("\n\n")}\n`;
}
