import { z } from "zod";

const Recalled = z.object({
  kind: z.literal("append"),
  events: z.array(z.object({ type: z.string(), bead: z.string().optional(), data: z.looseObject({}) })),
  done: z.boolean(),
  said: z.string(),
  awaited: z.boolean().optional(),
  effect: z.looseObject({ kind: z.string() }).optional(),
});
export type Recalled = z.infer<typeof Recalled>;

/** What was decided about a command, as a memory has it in which others can write; null for anything else. */
export function readRecalled(text: string): Recalled | null {
  try {
    return Recalled.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
