import { durationText } from "../../../lib/time-text.js";
import type { GuardSetting } from "../../govern/guard-mode.js";
import type { QuotaWindow } from "../../govern/quota-level.js";
import { accountIn, type QuotaBook } from "../../usage/quota-book.js";
import { accountName, usdText, windowName } from "./quota-words.js";

/** What `koryph quota calibrate` has done. */
export function calibratedLines(
  book: QuotaBook,
  {
    pool,
    window,
    ceilingUsd,
  }: { readonly pool: string; readonly window: QuotaWindow; readonly ceilingUsd: number },
): string[] {
  const account = accountIn(book, pool);
  const observed = account?.observed[window];
  const from = observed ? `, since ${usdText(observed.usd)} are ${observed.percent} % of it` : "";
  const hold = window === "weekly" ? "holds" : "hold";
  const other = window === "fiveHour" ? "weekly" : "fiveHour";
  return [
    `${accountName(pool)}: ${windowName(window)} ${hold} ${usdText(ceilingUsd)}${from}`,
    ...((account?.ceilings[other] ?? null) === null
      ? [`  ${windowName(other)} is not calibrated, and keeps nothing back`]
      : []),
  ];
}

/** What `koryph quota guard` has done. */
export function guardedLine({ mode, until }: GuardSetting, now: number): string {
  const lasts = until === null ? "" : ` for ${durationText(until - now)}`;
  return `guard ${mode} on this machine${lasts}; a project's quota.guard and koryph run --no-billing-guard go before it`;
}
