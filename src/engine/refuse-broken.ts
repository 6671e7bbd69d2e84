import type { Landing } from "../core/run/ledger/ledger-state.js";
import type { Slot } from "../core/run/ledger/slot.js";
import type { EffectContext } from "./perform-effect.js";

/**
 * A landing that failed steps aside for those behind it, and is tried again a few times. False when it keeps its
 * place.
 */
export async function refuseBroken(
  request: string,
  slot: Slot,
  why: string,
  context: EffectContext,
): Promise<boolean> {
  const { ledger } = context.parts;
  const data = { request, result: "error", code: "broken", detail: why } as const;
  try {
    let view = await ledger.refresh();
    for (;;) {
      const landing = view.state.landings.find(({ id }) => id === request);
      if (landing === undefined) return true;
      if (await mayStillLand(landing, slot, context)) return false;
      // A claim: nobody may have announced a push in the meantime.
      const answer = await ledger.claim([{ type: "land.refused", bead: slot.bead, data }], view);
      if (answer.kind === "won") return true;
      view = answer.view;
    }
  } catch {
    // A ledger that cannot be written ends the run at its next tick, which says why. And where nobody can tell
    // whether a push arrived, the landing keeps its place until somebody can.
    return false;
  }
}

/** No push takes longer, whoever announced it. */
const PUSH_SECONDS = 600;

/**
 * A push that was announced may have arrived although it failed here, or somebody else may be in the middle of it.
 * Where the branch has it, the next try records it; where the branch has moved on without it, it never will.
 */
async function mayStillLand(
  { intended }: Landing,
  slot: Slot,
  { parts, observations }: EffectContext,
): Promise<boolean> {
  if (intended === null) return false;
  const { repo, steady } = parts;
  const { tip } = await repo.fetchBase();
  if (await repo.isAncestor(intended.head, tip)) return true;
  if (tip !== intended.from) return false;
  const known = observations.known(slot);
  if (known.announced?.head !== intended.head) known.announced = { head: intended.head, at: steady() };
  return steady() - known.announced.at < PUSH_SECONDS * 1000;
}
