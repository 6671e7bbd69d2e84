import type { GuardMode } from "../../govern/guard-mode.js";
import type { QuotaLevel } from "../../govern/quota-level.js";
import type { QuotaReport } from "../../run/plan/quota-facts.js";
import { billedText } from "../runtimes/spend-words.js";
import { accountName, percentText, unmeasuredWindow, windowName } from "./quota-words.js";

const FOLLOWS: Readonly<Record<QuotaLevel, string>> = {
  ok: "agents start as usual",
  warn: "fewer agents at once",
  drain: "no new bead is started",
  stop: "no agent is started",
};

const WOULD: Readonly<Record<GuardMode, string>> = {
  on: "",
  advisory: " if the guard were on",
  off: " if the guard were on",
};

/** How an account stands, and what follows: a line of progress, and of `koryph status`. */
export function quotaLine({ pool, level, window, fraction, measured, guard, paidBy }: QuotaReport): string {
  const at = measured
    ? `${accountName(pool)} is at ${percentText(fraction)} of ${windowName(window)}`
    : unmeasuredWindow(pool, window);
  if (paidBy !== undefined) return `quota: ${at}: new agents are ${billedText(paidBy)}`;
  return `quota: ${at}: ${FOLLOWS[level]}${level === "ok" ? "" : WOULD[guard]}`;
}

/** A promise to programs, as docs/json.md describes it. */
export function quotaReportJson({ pool, level, window, fraction, measured, guard }: QuotaReport) {
  const [account, name] = [pool, accountName(pool)];
  return {
    account,
    name,
    level,
    window: window === "weekly" ? "week" : "five_hours",
    fraction,
    measured,
    guard,
  };
}
