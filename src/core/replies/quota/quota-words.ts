import { plainText } from "../../../lib/plain-text.js";
import type { QuotaWindow } from "../../govern/quota-level.js";
import { RUNTIMES } from "../../runtimes/runtimes.js";
import type { CcusageProblem, UsageMeasurement, UsageSource } from "../../usage/usage-measurement.js";

/** Whose account it is. */
export function accountName(pool: string): string {
  return RUNTIMES.find(({ account }) => account.pool === pool)?.account.title ?? plainText(pool);
}

export function windowName(window: QuotaWindow): string {
  switch (window) {
    case "fiveHour":
      return "the five hours";
    case "weekly":
      return "the week";
  }
}

/** What `koryph quota calibrate` calls a window. */
export const WINDOW_WORDS: Readonly<Record<QuotaWindow, string>> = { fiveHour: "5h", weekly: "weekly" };

export function percentText(fraction: number): string {
  return `${Number((fraction * 100).toFixed(1))} %`;
}

export function usdText(usd: number): string {
  return `$${usd.toFixed(2)}`;
}

const TRIED: Readonly<Record<CcusageProblem, string>> = {
  slow: "ccusage did not answer in time",
  failed: "ccusage failed",
  "not-understood": "ccusage said something that koryph does not understand",
};

/** Where the numbers come from. */
export function sourceText(source: Exclude<UsageSource, { kind: "none" }>): string {
  switch (source.kind) {
    case "ccusage":
      return "from ccusage, and the records of koryph's agents";
    case "records":
      return `from the runtime's own records${source.tried === null ? "" : `, since ${TRIED[source.tried]}`}`;
  }
}

/** Why there are no numbers; empty where there are some. */
export function unmeasuredText({ source }: Pick<UsageMeasurement, "source">): string {
  if (source.kind !== "none") return "";
  switch (source.why) {
    case "no-reader":
      return "koryph knows of no records that its runtime keeps";
    case "no-records":
      return "there are no records of its runtime on this machine";
    case "no-folder":
      return "no project on this machine pins it with a folder of its own, so its records lie among others";
    case "no-registry":
      return "an entry of the project registry cannot be read, so nobody knows all its folders (koryph project list names it)";
    case "unreadable":
      return "its runtime's records cannot be read";
    case "too-many":
      return "its runtime's records are too large to be read in time";
  }
}

/** Said of a window that is calibrated, with the next step. */
export function unmeasuredWindow(pool: string, window: QuotaWindow): string {
  return `${windowName(window)} of ${accountName(pool)} cannot be measured and count as full (koryph quota show says why)`;
}
