import { table } from "../../../lib/table.js";
import { agoText, durationText } from "../../../lib/time-text.js";
import type { GuardChoice } from "../../govern/guard-mode.js";
import {
  QUOTA_WINDOWS,
  type QuotaLadder,
  type QuotaWindow,
  quotaLevel,
  spentFraction,
} from "../../govern/quota-level.js";
import { accountIn, type QuotaBook, quotaUsage } from "../../usage/quota-book.js";
import type { UsageMeasurement } from "../../usage/usage-measurement.js";
import {
  accountName,
  percentText,
  sourceText,
  unmeasuredText,
  usdText,
  WINDOW_WORDS,
  windowName,
} from "./quota-words.js";

export interface QuotaView {
  readonly book: QuotaBook;
  readonly accounts: readonly { readonly pool: string; readonly measured: UsageMeasurement }[];
  readonly guard: GuardChoice;
  readonly ladder: QuotaLadder;
  readonly now: number;
}

/** What `koryph quota show` prints. */
export function quotaLines(view: QuotaView): string[] {
  return [
    ...view.accounts.flatMap((account) => accountLines(account, view)),
    guardLine(view),
    ladderLine(view.ladder),
  ];
}

function accountLines(
  { pool, measured }: QuotaView["accounts"][number],
  { book, ladder, now }: QuotaView,
): string[] {
  const usage = quotaUsage(book, pool, measured);
  const { level, calibrated } = quotaLevel(usage, ladder);
  const rows = QUOTA_WINDOWS.map(({ window }) => [
    `  ${windowName(window)}`,
    windowText(usage[window], ladder),
    calibrationText(book, pool, window, now),
  ]);
  const stands = calibrated ? level : "not calibrated, so it keeps nothing back";
  return [
    `${accountName(pool)}: ${stands}`,
    ...table(rows),
    `  ${measuredText(measured, now)}`,
    ...toldLines(pool, measured, now),
    ...troubles(measured),
  ];
}

function windowText(
  { ceilingUsd, spentUsd }: ReturnType<typeof quotaUsage>[QuotaWindow],
  ladder: QuotaLadder,
): string {
  if (ceilingUsd === null) return spentUsd === null ? "not measurable" : `${usdText(spentUsd)} spent`;
  if (spentUsd === null) return `not measurable, so it counts as full (of ${usdText(ceilingUsd)})`;
  const fraction = spentFraction({ ceilingUsd, spentUsd }) ?? 0;
  const { level } = quotaLevel(
    { fiveHour: { ceilingUsd, spentUsd }, weekly: { ceilingUsd: null, spentUsd } },
    ladder,
  );
  return `${usdText(spentUsd)} of ${usdText(ceilingUsd)}, ${percentText(fraction)}: ${level}`;
}

function calibrationText(book: QuotaBook, pool: string, window: QuotaWindow, now: number): string {
  const observed = accountIn(book, pool)?.observed[window] ?? null;
  if (observed === null) {
    const runtime = pool === "" ? "" : ` --runtime ${pool}`;
    return `not calibrated: koryph quota calibrate ${WINDOW_WORDS[window]}${runtime} --percent <what the provider shows>`;
  }
  const { usd, percent, at } = observed;
  return `calibrated ${agoText(at, now)}: ${usdText(usd)} were ${percent} %`;
}

function measuredText(measured: UsageMeasurement, now: number): string {
  const { source, at } = measured;
  if (source.kind === "none") return `not measurable: ${unmeasuredText(measured)}`;
  const age = now - at;
  return `${sourceText(source)}, measured ${age < 1000 ? "just now" : `${durationText(age)} ago`}`;
}

/** What can be calibrated by. */
function toldLines(pool: string, { told }: UsageMeasurement, now: number): string[] {
  return told.map(
    ({ window, percent, at }) =>
      `  ${accountName(pool)} itself showed ${percent} % of ${windowName(window)} ${durationText(now - at)} ago`,
  );
}

function troubles({ broken, unpriced, cut }: UsageMeasurement): string[] {
  const lines: string[] = [];
  if (broken > 0)
    lines.push(
      `  ${counted(broken, "line")} could not be read and ${broken === 1 ? "is" : "are"} not counted`,
    );
  if (unpriced > 0)
    lines.push(`  ${counted(unpriced, "answer")} of models without a price, counted at the dearest one`);
  if (cut > 0) lines.push(`  of ${counted(cut, "very large file")} only the end was read`);
  return lines;
}

function counted(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

const SAID_BY: Readonly<Record<GuardChoice["source"], string>> = {
  flag: "said for this run",
  project: "quota.guard of the project",
  baseline: "koryph quota guard on this machine",
  default: "nobody has said otherwise",
};

function guardLine({ guard: { mode, until, source }, now }: QuotaView): string {
  return `guard ${mode}${until === null ? "" : ` for ${durationText(until - now)}`} (${SAID_BY[source]})`;
}

function ladderLine({ warn, drain, stop }: QuotaLadder): string {
  return `fewer agents from ${percentText(warn)} on, no new bead from ${percentText(drain)}, no agent from ${percentText(stop)}`;
}

/** A promise to programs, as docs/json.md describes it. */
export function quotaJson({ book, accounts, guard, ladder }: QuotaView) {
  return {
    schema_version: 1,
    guard: {
      mode: guard.mode,
      source: guard.source,
      until: guard.until === null ? null : new Date(guard.until).toISOString(),
    },
    ladder,
    accounts: accounts.map(({ pool, measured }) => {
      const usage = quotaUsage(book, pool, measured);
      const { level, calibrated, fraction } = quotaLevel(usage, ladder);
      return {
        account: pool,
        name: accountName(pool),
        calibrated,
        level: calibrated ? level : null,
        fraction,
        measured_at: new Date(measured.at).toISOString(),
        source: measured.source.kind,
        unmeasured: measured.source.kind === "none" ? measured.source.why : null,
        told: measured.told.map(({ window, percent, at }) => ({
          window: window === "weekly" ? "week" : "five_hours",
          percent,
          at: new Date(at).toISOString(),
        })),
        broken_lines: measured.broken,
        unpriced_answers: measured.unpriced,
        cut_files: measured.cut,
        five_hours: windowJson("fiveHour", pool, book, usage),
        week: windowJson("weekly", pool, book, usage),
      };
    }),
  };
}

function windowJson(
  window: QuotaWindow,
  pool: string,
  book: QuotaBook,
  usage: ReturnType<typeof quotaUsage>,
) {
  const { ceilingUsd, spentUsd } = usage[window];
  const observed = accountIn(book, pool)?.observed[window] ?? null;
  return {
    spent_usd: spentUsd === null ? null : Number(spentUsd.toFixed(6)),
    ceiling_usd: ceilingUsd,
    fraction: spentFraction(usage[window]),
    calibrated_at: observed?.at ?? null,
  };
}
