import { z } from "zod";

const Outcome = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("said"), said: z.string() }),
  z.object({ kind: z.literal("refuse"), code: z.string(), said: z.string(), next: z.string() }),
]);

/**
 * How far a login has come. Each step is on record before the next one is tried.
 *
 * | step    | entered when                               | left when                                            |
 * |---------|--------------------------------------------|------------------------------------------------------|
 * | begun   | GitHub gave us a code for the person       | GitHub gives the token, or says that it never will   |
 * | granted | GitHub gave the token, which it does once  | it is known whose token it is, and kept if it is right |
 * | ended   | there is nothing left to do but to tell it | never                                                |
 */
export const LinkStep = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("begun"),
    /** What the person was told. */
    said: z.string(),
    /** The device code. */
    sealed: z.base64(),
    expiresAt: z.number(),
    intervalSeconds: z.number(),
  }),
  z.object({
    kind: z.literal("granted"),
    said: z.string(),
    /** A `KeptToken`. */
    sealed: z.base64(),
  }),
  z.object({ kind: z.literal("ended"), outcome: Outcome }),
]);
export type LinkStep = z.infer<typeof LinkStep>;

/** What is sealed for a linked account. */
export const KeptToken = z.object({
  token: z.string(),
  /** Milliseconds since 1970; null for one that does not expire. */
  expires_at: z.number().nullable(),
  refresh_token: z.string().nullable(),
});
export type KeptToken = z.infer<typeof KeptToken>;
