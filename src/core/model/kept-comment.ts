import { z } from "zod";

/** What was last said in a comment that koryph keeps up to date. It saves requests: what is lost of it is looked for on GitHub. */
export const KeptComment = z.object({
  /** Null: the thread takes no comment, and nobody tries again before there is something new. */
  id: z.number().nullable(),
  /** The digest of its text. */
  told: z.string(),
  /** By somebody who wants no other. */
  deleted: z.boolean(),
});
export type KeptComment = z.infer<typeof KeptComment>;
