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

const Judgement = z.object({
  id: z
    .union([z.string(), z.number()])
    .transform((id) => criterionId(String(id)))
    .refine((id) => id !== ""),
  status: text.transform((status) => CRITERION_STATUSES.find((known) => known === word(status)) ?? null),
  evidence: text,
});

const ReviewerFinding = z.object({
  severity: text.transform((severity) => SEVERITIES.find((known) => known === word(severity)) ?? "blocking"),
  file: text,
  line,
  summary: text,
});

/** A finding in a form of its own: whatever it says, nobody can tell that it is harmless. */
const oddFinding = z.unknown().transform((value) => ({
  severity: "blocking" as const,
  file: "",
  line: null,
  summary: typeof value === "string" ? value : (JSON.stringify(value) ?? ""),
}));

/** Entries of a list; a value that is no list is its only entry, and nothing at all has none. */
const entries = z
  .unknown()
  .optional()
  .transform((value): readonly unknown[] => {
    if (Array.isArray(value)) return value;
    return value === undefined || value === null || value === "" ? [] : [value];
  });

/**
 * A reviewer's answer as it comes: `blocking` must be there and say yes or no, the rest is read as well as can be. A
 * severity nobody knows is `blocking`, since it may well be "critical"; a status nobody knows is null; a judgement that
 * cannot be read is missing, which the criteria then show.
 */
export const ReviewerAnswer = z.object({
  blocking: z.union([z.boolean(), z.stringbool({ truthy: ["true"], falsy: ["false"] })]),
  criteria: entries.transform((all) => all.flatMap((each) => Judgement.safeParse(each).data ?? [])),
  findings: entries.transform((all) =>
    all.map((each) => ReviewerFinding.safeParse(each).data ?? oddFinding.parse(each)),
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
