import type { RunChoices } from "../../model/run-choices.js";

/** With the sum that a run may spend, which ledgers keep apart. */
export interface KeptChoices extends RunChoices {
  readonly budget?: number | undefined;
}

export interface Resumed {
  /** What it was started with and keeps to, since nothing else is asked for now. */
  readonly kept: KeptChoices;
  /** What it was allowed before, and is not now. */
  readonly lapsed: KeptChoices;
}

/**
 * Allow more than a run does by itself. Whoever can write the ledger can write them there, so that they count only from
 * the one who resumes the run.
 */
const PERMISSIONS: ReadonlySet<string> = new Set<keyof RunChoices>([
  "auto_merge",
  "direct",
  "allow_red_base",
]);

/**
 * What a resumed run keeps to: what it was started with, unless something else is asked for now. Otherwise it would
 * start beads, and spend money, that nobody asked for.
 */
export function resumeChoices(given: KeptChoices, before: KeptChoices): Resumed {
  const asked = named(given);
  const left = Object.entries(named(before)).filter(([name]) => !(name in asked));
  return {
    kept: Object.fromEntries(left.filter(([name]) => !PERMISSIONS.has(name))),
    lapsed: Object.fromEntries(left.filter(([name]) => PERMISSIONS.has(name))),
  };
}

/** A switch that is off was not asked for. */
function named(choices: KeptChoices): KeptChoices {
  return Object.fromEntries(
    Object.entries(choices).filter(([, value]) => value !== undefined && value !== false),
  );
}
