import { z } from "zod";

/** A commit, whatever hash the repository uses. */
const Sha = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);

/** What koryph says of a landing and git cannot show. Built when it is first read with: few events have it. */
export const LandingClaims = z.lazy(() =>
  z.strictObject({
    /** People's words, and where they can be read again. */
    approvers: z.array(
      z.strictObject({
        login: z.string(),
        user_id: z.int(),
        /** The commit that was approved. */
        head: Sha,
        evidence: z.strictObject({
          url: z.string(),
          source: z.string(),
          body_sha256: z.string().regex(/^[0-9a-f]{64}$/),
        }),
      }),
    ),
    checks: z.array(
      z.strictObject({
        name: z.string(),
        /** Who reported it. */
        source: z.string(),
        conclusion: z.string(),
        url: z.string(),
      }),
    ),
    /** Null when nobody knows whether the gate ran, as after a crash of an older koryph. */
    gate: z
      .strictObject({ commands: z.string().regex(/^sha256:[0-9a-f]{64}$/), result: z.literal("green") })
      .nullable(),
    /** Counts only, as in the ledger; null without a review. */
    review: z
      .strictObject({ head: Sha, verdict: z.enum(["clean", "blocking", "degraded"]), summary: z.string() })
      .nullable(),
    criteria: z.array(z.strictObject({ id: z.string(), status: z.string() })),
    cost: z.strictObject({ usd: z.number().min(0), known: z.boolean() }),
  }),
);
export type LandingClaims = z.infer<typeof LandingClaims>;
