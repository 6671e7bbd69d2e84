import type { ArrivedMove } from "../core/land/decide-landing.js";
import type { Ledger } from "../ports/ledger.js";
import type { Repo } from "../ports/repo.js";
import { refuseLanding } from "./refuse-landing.js";

export interface BrokenParts {
  readonly ledger: Ledger;
  readonly repo: Repo;
  /** Milliseconds that only ever pass. */
  readonly steady: () => number;
}

/** What is remembered between tries: a push that was announced, and when that was first met, on the steady clock. */
export interface AnnouncedPush {
  announced: { readonly head: string; readonly at: number } | null;
}

/**
 * A landing that failed steps aside for those behind it, and is tried again a few times. False when it keeps its
 * place.
 */
export async function refuseBroken(
  { ledger, repo, steady }: BrokenParts,
  request: { readonly id: string; readonly bead: string },
  why: string,
  known: AnnouncedPush,
): Promise<boolean> {
  try {
    const { kind } = await refuseLanding(ledger, request, { kind: "broken", why }, (intended) =>
      mayStillLand(intended, repo, steady, known),
    );
    return kind !== "announced";
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
  intended: ArrivedMove,
  repo: Repo,
  steady: () => number,
  known: AnnouncedPush,
): Promise<boolean> {
  const { tip } = await repo.fetchBase();
  if (await repo.isAncestor(intended.head, tip)) return true;
  if (tip !== intended.from) return false;
  if (known.announced?.head !== intended.head) known.announced = { head: intended.head, at: steady() };
  return steady() - known.announced.at < PUSH_SECONDS * 1000;
}
