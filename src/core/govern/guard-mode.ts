import { z } from "zod";

/** What the quota does: keeps work back, only says that it would, or nothing. */
export const GUARD_MODES = ["on", "advisory", "off"] as const;
export type GuardMode = (typeof GUARD_MODES)[number];

/** A mode that somebody set, and until when, in ms; null for good. */
export const GuardSetting = z.strictObject({ mode: z.enum(GUARD_MODES), until: z.int().nullable() });
export type GuardSetting = Readonly<z.infer<typeof GuardSetting>>;

export interface GuardChoice extends GuardSetting {
  readonly source: "flag" | "project" | "baseline" | "default";
}

/** Null is one that nobody has set. */
type Setting = GuardSetting | null;

/** The mode that holds: the flag's, else the project's, else the machine's, else on. One that expired was not set. */
export function guardMode(flag: Setting, project: Setting, baseline: Setting, now: number): GuardChoice {
  const order = [
    { source: "flag", setting: flag },
    { source: "project", setting: project },
    { source: "baseline", setting: baseline },
  ] as const;
  for (const { source, setting } of order)
    if (setting !== null && (setting.until === null || now < setting.until)) return { ...setting, source };
  return { mode: "on", until: null, source: "default" };
}
