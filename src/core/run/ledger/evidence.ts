import { z } from "zod";

/** What was said on GitHub that made an event: whoever acts on a grant reads it there again. */
export const Evidence = z.object({
  url: z.string(),
  /** `comment`, `review` or `review-comment`, and its id: `comment 123`. */
  source: z.string(),
  /** Of the text as it was when it was acted on. */
  body_sha256: z.string().regex(/^[0-9a-f]{64}$/),
  login: z.string(),
  user_id: z.int(),
});
export type Evidence = z.infer<typeof Evidence>;
