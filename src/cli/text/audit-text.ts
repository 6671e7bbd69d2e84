import type { ProjectConfig } from "../../core/config/project-schema.js";
import { warningSentence } from "../../core/replies/schedule/audit.js";
import { dispatchRefusalText } from "../../core/replies/schedule/schedule.js";
import type { PlanAudit } from "../../core/schedule/audit-plan.js";
import type { ConflictingPairs } from "../../core/schedule/conflicting-pairs.js";
import { cutText } from "../../lib/cut-text.js";
import { naturalOrder } from "../../lib/natural-order.js";
import type { Paint } from "../../lib/paint.js";
import { plainText } from "../../lib/plain-text.js";
import { table } from "../../lib/table.js";

/** Lists stop here unless `--all` asks for everything. */
const SHOWN_ROWS = 50;

const SHOWN_TOKENS = 6;
const LONGEST_TOKEN = 80;

export interface AuditView {
  readonly config: ProjectConfig;
  readonly epic?: string | undefined;
  readonly all?: boolean | undefined;
  readonly paint: Paint;
}

/** The audit as a person reads it in a terminal. */
export function auditText(audit: PlanAudit, view: AuditView): string[] {
  const { paint } = view;
  const { stats } = audit;
  const rows = (lines: readonly string[]) => listed(lines, view);
  const below = view.epic === undefined ? "" : ` below ${view.epic}`;
  return [
    `${paint.heading("Plan audit")} of ${view.config.project_id}: ${audit.totalOpen} open ${audit.totalOpen === 1 ? "bead" : "beads"}${below}`,
    "",
    section(
      view,
      "UNLABELED",
      audit.unlabeled.length,
      "nothing says what they touch, so they run one at a time",
    ),
    ...rows(audit.unlabeled),
    "",
    section(view, "NON-DISPATCHABLE", audit.nonDispatchable.length, "no agent will get these as they are"),
    ...rows(
      table(audit.nonDispatchable.map(({ id, refusal }) => [id, plainText(dispatchRefusalText(refusal))])),
    ),
    "",
    ...(audit.conflicts ? [...pairsText(audit.conflicts, view), ""] : []),
    paint.heading("PARALLEL WIDTH"),
    ...table([
      ["  current", `${audit.parallelWidth.current}`, paint.faint("beads that fit side by side as they are")],
      [
        "  potential",
        `${audit.parallelWidth.potential}`,
        paint.faint("if every unlabeled bead had a label of its own"),
      ],
    ]),
    "",
    paint.heading("CORPUS STATS"),
    ...table([
      ["  open", `${audit.totalOpen}`],
      ["  ready", `${stats.ready}`],
      ["  dispatchable", `${stats.dispatchable}`],
      ["  tokens", `${stats.tokens}`],
      ["  refactor-core", `${stats.refactorCore}`],
      ["  no-dispatch", `${stats.noDispatch}`],
    ]),
    "",
    section(view, "WARNINGS", audit.warnings.length, "what does not do what it seems to"),
    ...rows(audit.warnings.map((warning) => plainText(warningSentence(warning)))).map(paint.warning),
  ];
}

function pairsText(pairs: ConflictingPairs, view: AuditView): string[] {
  const { total, listed: shown, busiest } = pairs;
  const lines = table(
    shown
      .map(({ a, b, ...rest }) => (naturalOrder(a, b) <= 0 ? { a, b, ...rest } : { a: b, b: a, ...rest }))
      .sort((x, y) => naturalOrder(x.a, y.a) || naturalOrder(x.b, y.b))
      .map(({ a, b, mode, tokens }) => [`  ${a}`, b, mode, tokensText(tokens)]),
  );
  if (shown.length < total) {
    const next = view.all ? "" : "; --all lists them";
    lines.push(view.paint.faint(`  and ${total - shown.length} more${next}`));
  }
  if (busiest.length > 0) {
    lines.push("  busiest tokens:");
    const loads = busiest.map(({ token, writers, readers }) => [
      `    ${cutText(plainText(token), LONGEST_TOKEN)}`,
      `${writers} write, ${readers} read`,
    ]);
    lines.push(...table(loads));
  }
  return [section(view, "CONFLICTING PAIRS", total, "only their footprints keep them apart"), ...lines];
}

function tokensText(tokens: readonly string[]): string {
  const rest = tokens.length - SHOWN_TOKENS;
  const shown = tokens.slice(0, SHOWN_TOKENS).map((token) => cutText(plainText(token), LONGEST_TOKEN));
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join(", ");
}

function section({ paint }: AuditView, name: string, count: number, meaning: string): string {
  return `${paint.heading(`${name} (${count})`)}${count > 0 ? `  ${paint.faint(meaning)}` : ""}`;
}

function listed(lines: readonly string[], { all, paint }: AuditView): string[] {
  const shown = all ? lines : lines.slice(0, SHOWN_ROWS);
  const rest = lines.length - shown.length;
  return [
    ...shown.map((line) => `  ${line}`),
    ...(rest > 0 ? [paint.faint(`  and ${rest} more; --all lists them`)] : []),
  ];
}
