import { z } from "zod";
import { readJson } from "../config/read-json.js";
import { type Calibration, QuotaCalibration, UNCALIBRATED, withCeiling } from "../govern/calibrate.js";
import { GuardSetting } from "../govern/guard-mode.js";
import type { QuotaUsage } from "../govern/quota-level.js";
import { PLAINLY } from "../model/plainly.js";
import type { UsageMeasurement } from "./usage-measurement.js";

/** What a ceiling was concluded from. */
const QuotaObservation = z.strictObject({
  usd: z.number().positive(),
  percent: z.number().positive().max(100),
  at: z.iso.datetime(),
});
export type QuotaObservation = Readonly<z.infer<typeof QuotaObservation>>;

const observed = QuotaObservation.nullable();
const Account = z.strictObject({
  ceilings: QuotaCalibration,
  observed: z.strictObject({ fiveHour: observed, weekly: observed }),
});
export type CalibratedAccount = Readonly<z.infer<typeof Account>>;

/** `$KORYPH_HOME/quota.json`: what this machine's accounts hold, by pool, and what the quota does where nobody says. */
export const QuotaBook = z.strictObject({
  schema_version: z.literal(1),
  guard: GuardSetting.nullable(),
  accounts: z.record(z.string().regex(/^(?!__)[A-Za-z0-9@._:-]{0,128}$/), Account),
});
export type QuotaBook = Readonly<z.infer<typeof QuotaBook>>;

const EMPTY_BOOK: QuotaBook = { schema_version: 1, guard: null, accounts: {} };

export type QuotaBookReading =
  | { readonly kind: "book"; readonly book: QuotaBook }
  | { readonly kind: "wrong"; readonly problem: string };

/** Null for a file that is not there: nobody has calibrated anything. */
export function readQuotaBook(text: string | null): QuotaBookReading {
  if (text === null) return { kind: "book", book: EMPTY_BOOK };
  const json = readJson(text);
  if (json.kind === "not-json") return { kind: "wrong", problem: json.problem };
  const parsed = QuotaBook.safeParse(json.data, PLAINLY);
  if (parsed.success) return { kind: "book", book: parsed.data };
  const needs = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`);
  return { kind: "wrong", problem: needs.join("; ") };
}

/** Null for an account that nobody has calibrated. */
export function accountIn({ accounts }: QuotaBook, pool: string): CalibratedAccount | null {
  return (Object.hasOwn(accounts, pool) ? accounts[pool] : undefined) ?? null;
}

type Calibrated = Extract<Calibration, { kind: "calibrated" }>;

/** The book with one window of an account calibrated; the other one stays as it is. */
export function withObservation(
  book: QuotaBook,
  pool: string,
  found: Calibrated,
  from: QuotaObservation,
): QuotaBook {
  const { ceilings = UNCALIBRATED, observed = { fiveHour: null, weekly: null } } =
    accountIn(book, pool) ?? {};
  const account = {
    ceilings: withCeiling(ceilings, found),
    observed: { ...observed, [found.window]: from },
  };
  return { ...book, accounts: { ...book.accounts, [pool]: account } };
}

/** Both windows of an account: what they hold, and what of it is spent. */
export function quotaUsage(
  book: QuotaBook,
  pool: string,
  { spent }: Pick<UsageMeasurement, "spent">,
): QuotaUsage {
  const { fiveHour, weekly } = accountIn(book, pool)?.ceilings ?? UNCALIBRATED;
  return {
    fiveHour: { ceilingUsd: fiveHour, spentUsd: spent?.fiveHour ?? null },
    weekly: { ceilingUsd: weekly, spentUsd: spent?.weekly ?? null },
  };
}
