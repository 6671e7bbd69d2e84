import { z } from "zod";

/** A process that cannot be mistaken for another: pids are reused, boots are not. */
export const ProcessIdentity = z.object({ pid: z.int(), start: z.string(), boot: z.string() });
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;
