import type { Slot } from "../../core/run/ledger/slot.js";
import type { EffectContext, WorldEffect } from "./perform-effect.js";

/**
 * What brings a dispatched bead nearer to its agent's start once this is done: claimed, it gets its clone, and with its
 * clone it is launched. Null where somebody has to decide, or where it goes no further.
 */
export async function nextTowardsLaunch(
  { kind, bead }: WorldEffect,
  slot: Slot,
  { observations, abort }: Pick<EffectContext, "observations" | "abort">,
): Promise<WorldEffect | null> {
  if ((kind !== "claim-bead" && kind !== "prepare") || abort.aborted) return null;
  // A look that fails is the next tick's to bear.
  const seen = await observations.look(slot).catch(() => null);
  if (seen === null) return null;
  const { process, claim, worktree } = seen;
  if (process.kind !== "none" || claim !== "ours") return null;
  if (worktree === "ready") return { kind: "launch", bead };
  return kind === "claim-bead" ? { kind: "prepare", bead } : null;
}
