import { z } from "zod";
import { CRITERION_STATUSES, SEVERITIES } from "./verdict.js";

const text = z
  .union([z.string(), z.array(z.string()).transform((texts) => texts.join("; "))])
  .nullish()
  .catch(null)
  .transform((value) => value ?? "");

const line = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  ])
  .nullish()
  .catch(null)
  .transform((value) => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : null));

/**
 * A reviewer's answer as it comes: what decides must be there and have its type, the rest is read as well as
 * can be. A severity nobody knows is `blocking`, since it may well be "critical"; a status nobody knows is null.
 */
export const ReviewerAnswer = z.object({
  blocking: z.boolean(),
  criteria: z.array(
    z.object({
      id: z
        .union([z.string(), z.number()])
        .transform((id) => criterionId(String(id)))
        .refine((id) => id !== ""),
      status: text.transform((status) => CRITERION_STATUSES.find((known) => known === word(status)) ?? null),
      evidence: text,
    }),
  ),
  findings: z.array(
    z.object({
      severity: text.transform(
        (severity) => SEVERITIES.find((known) => known === word(severity)) ?? "blocking",
      ),
      file: text,
      line,
      summary: text,
    }),
  ),
});
export type ReviewerAnswer = z.infer<typeof ReviewerAnswer>;

/** `ac-01`, `AC1: answers 200` and `1` all mean AC1. Other names stay as they are. */
export function criterionId(text: string): string {
  const [, written, bare] = /^\s*(?:AC[\s#-]*0*(\d{1,6})(?!\w)|0*(\d{1,6})\s*$)/i.exec(text) ?? [];
  const number = written ?? bare;
  return number === undefined ? text.trim() : `AC${number}`;
}

function word(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, "-");
}
