import { LedgerError } from "../../core/run/ledger/ledger-error.js";
import type { Blame, EffectFailure } from "../../core/run/tick/effect-failure.js";
import { OutsideFault } from "../../ports/outside-fault.js";
import type { EngineParts } from "../engine-parts.js";

/** What the whole machine is short of. Only the system sets these codes; texts may repeat what an agent wrote. */
const SCARCE: ReadonlySet<unknown> = new Set([
  "ENOSPC",
  "EDQUOT",
  "EROFS",
  "EMFILE",
  "ENFILE",
  "ENOMEM",
  "EAGAIN",
]);

const ASKS_THE_TRACKER: ReadonlySet<string> = new Set(["claim-bead", "launch", "judge", "settle"]);

/**
 * Where the cause of a failure lies. What a text says is not believed: an agent could make its bead wait for ever by
 * the name of a file. The disk and the tracker are tried instead.
 */
export async function whoseFault(
  error: unknown,
  effect: EffectFailure["effect"],
  { canWrite, source }: Pick<EngineParts, "canWrite" | "source">,
): Promise<Blame> {
  // Nothing but a signal ends an agent, and whoever cannot send one now may be able to later.
  if (effect === "stop-agent" || isOutside(error) || !(await canWrite())) return "outside";
  if (!ASKS_THE_TRACKER.has(effect)) return "own";
  const answers = await source.all().then(
    () => true,
    () => false,
  );
  return answers ? "own" : "outside";
}

/** Whether something that everybody needs is out of reach or used up. */
export function isOutside(error: unknown): boolean {
  if (error instanceof OutsideFault || error instanceof LedgerError) return true;
  return (
    error instanceof Error && (SCARCE.has((error as NodeJS.ErrnoException).code) || isOutside(error.cause))
  );
}
