import { z } from "zod";

/** What whoever started a run asked it to keep to, in the words of its flags. */
export const RunChoices = z.object({
  only: z.string().optional(),
  parent: z.string().optional(),
  max: z.int().optional(),
  model: z.string().optional(),
  default_model: z.string().optional(),
  auto_merge: z.boolean().optional(),
  direct: z.boolean().optional(),
  allow_red_base: z.boolean().optional(),
});
export type RunChoices = z.infer<typeof RunChoices>;
