import { z } from "zod";

/** Worst first. Anything else a reviewer writes is read as `blocking`. */
export const SEVERITIES = ["blocking", "major", "minor"] as const;
export const CRITERION_STATUSES = ["satisfied", "unsatisfied", "not-applicable"] as const;

const JudgedCriterion = z.object({
  id: z.string().min(1),
  status: z.enum(CRITERION_STATUSES),
  /** A place in the code or the output of a command. */
  evidence: z.string(),
});
export type JudgedCriterion = z.infer<typeof JudgedCriterion>;

const Finding = z.object({
  severity: z.enum(SEVERITIES),
  /** Empty when it is about no file in particular. */
  file: z.string().default(""),
  line: z.int().positive().nullable().default(null),
  summary: z.string(),
});
export type Finding = z.infer<typeof Finding>;

/** What a review came to, as it is kept: every acceptance criterion once, findings worst first. */
export const Verdict = z.object({
  blocking: z.boolean(),
  criteria: z.array(JudgedCriterion),
  findings: z.array(Finding),
});
export type Verdict = z.infer<typeof Verdict>;

/**
 * The same for runtimes that hold a model to a schema. The strict kind wants every property required and no
 * other allowed, so what may be missing is null or empty instead.
 */
export const VERDICT_SCHEMA = {
  type: "object",
  properties: {
    blocking: { type: "boolean" },
    criteria: {
      type: "array",
      items: {
        type: "object",
        properties: {
          id: { type: "string" },
          status: { type: "string", enum: [...CRITERION_STATUSES] },
          evidence: { type: "string" },
        },
        required: ["id", "status", "evidence"],
        additionalProperties: false,
      },
    },
    findings: {
      type: "array",
      items: {
        type: "object",
        properties: {
          severity: { type: "string", enum: [...SEVERITIES] },
          file: { type: "string" },
          line: { type: ["integer", "null"] },
          summary: { type: "string" },
        },
        required: ["severity", "file", "line", "summary"],
        additionalProperties: false,
      },
    },
  },
  required: ["blocking", "criteria", "findings"],
  additionalProperties: false,
};
