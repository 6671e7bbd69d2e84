import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import type { CalibrationRefusal } from "../../govern/calibrate.js";
import type { QuotaWindow } from "../../govern/quota-level.js";
import type { UsageMeasurement } from "../../usage/usage-measurement.js";
import { accountName, unmeasuredText, windowName } from "./quota-words.js";

export const quotaAdvice = {
  unreadable: (path: string, problem: string): Advice => ({
    message: `${path} cannot be read: ${plainText(problem)}`,
    hint: "mend the file, or remove it and calibrate anew with `koryph quota calibrate`",
  }),
  unmeasured: (pool: string, window: QuotaWindow, measured: Pick<UsageMeasurement, "source">): Advice => ({
    message: `nobody can tell what ${accountName(pool)}'s account spent in ${windowName(window)}: ${unmeasuredText(measured)}`,
    hint: "look at what the provider shows for the same time, and give the sum with --usd",
  }),
  notCalibrated: (pool: string, window: QuotaWindow, code: CalibrationRefusal): Advice => ({
    message: `${windowName(window)} of ${accountName(pool)}'s account cannot be calibrated: ${WHY_NOT[code]}`,
    hint: "try again when agents have worked, with the percentage that the provider shows then",
  }),
};

const WHY_NOT: Readonly<Record<CalibrationRefusal, string>> = {
  usd_not_positive: "nothing was spent in it so far",
  percent_not_positive: "0 % of a window show nothing of what it holds",
  percent_above_100: "more than 100 % are no part of a window",
  ceiling_not_finite: "the sum and the percentage make no sensible ceiling",
};
