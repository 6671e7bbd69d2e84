import type { LandResult } from "../core/land/refusal.js";
import { landAdvice, landWords } from "../core/replies/land/land.js";
import type { NewEvent } from "../core/run/ledger/ledger-event.js";
import type { Landing, LedgerState } from "../core/run/ledger/ledger-state.js";
import type { Slot } from "../core/run/ledger/slot.js";
import { waitsForPerson } from "../core/run/ledger/slot-groups.js";
import { UserError } from "../lib/user-error.js";
import type { Ledger } from "../ports/ledger.js";
import type { Repo } from "../ports/repo.js";

export interface LandWish {
  readonly bead: string;
  readonly method: "ff" | "squash";
  readonly allowProtected: boolean;
  /** Whether the method was asked for, and is not just the project's. */
  readonly methodAsked: boolean;
  readonly signingRequired: boolean;
}

export type LandingRequest =
  | { readonly kind: "requested"; readonly landing: Landing; readonly slot: Slot }
  | {
      readonly kind: "landed";
      readonly head: string;
      readonly branch: string | null;
      readonly settled: boolean;
    };

/**
 * Puts a bead into the landing queue because a person asked for it. What is there now is what lands: commits that
 * came after the engine had accepted the branch are taken along, signed and checked like the others.
 * Throws a `UserError` when the bead cannot be landed as it stands.
 */
export async function requestLanding(
  { ledger, repo }: { readonly ledger: Ledger; readonly repo: Repo },
  wish: LandWish,
): Promise<LandingRequest> {
  if (wish.method === "squash" && wish.signingRequired) throw UserError.of(landAdvice.squashSigned());
  let view = await ledger.refresh();
  for (;;) {
    const slot = view.state.slots[wish.bead];
    if (slot === undefined) throw UserError.of(landAdvice.noSlot(wish.bead));
    if (slot.status === "merged" && slot.landed !== null)
      return {
        kind: "landed",
        head: slot.landed,
        branch: slot.candidate?.branch ?? null,
        settled: slot.settled,
      };
    const hold = view.state.holds[wish.bead];
    if (hold !== undefined) throw UserError.of(landAdvice.held(wish.bead, hold.actor, hold.reason));
    const open = openLanding(view.state, wish.bead);
    if (open !== null) {
      // It is checked and lands as it was asked for first.
      const otherwise = wish.methodAsked && wish.method !== open.method;
      if (otherwise || (wish.allowProtected && !open.allowProtected))
        throw UserError.of(landAdvice.underWay(open));
      // Asked for on another machine, maybe: this brings in the commits that it saved on the remote.
      await repo.candidate(wish.bead);
      return { kind: "requested", landing: open, slot };
    }
    if (!waitsForPerson(slot)) throw UserError.of(landAdvice.atWork(wish.bead, slot.status));
    const answer = await ledger.claim([await requestEvent(repo, slot, wish)], view);
    view = answer.view;
    const landing = answer.kind === "won" ? openLanding(view.state, wish.bead) : null;
    const moved = view.state.slots[wish.bead];
    if (landing !== null && moved !== undefined) return { kind: "requested", landing, slot: moved };
    if (answer.kind === "won")
      throw new Error(`the landing of ${wish.bead} was recorded and is not in the queue`);
  }
}

function openLanding(state: LedgerState, bead: string): Landing | null {
  return state.landings.find((landing) => landing.bead === bead) ?? null;
}

async function requestEvent(repo: Repo, slot: Slot, wish: LandWish): Promise<NewEvent> {
  const { branch } = await repo.fetchBase();
  const made = await repo.candidate(slot.bead);
  if (made === null) throw UserError.of(landAdvice.nothing(slot.bead, landWords.nothingToLand()));
  const known = slot.candidate?.from === made.head ? slot.candidate : null;
  // Anybody who can push can put commits where saved work lies: only what was accepted, or is in a clone here, counts.
  if (known === null && !(await repo.hasClone(slot.bead)))
    throw UserError.of(landAdvice.notAccepted(slot.bead));
  // Also what was accepted before there was a key.
  const { base, head } = await repo.sign(slot.bead, known ?? made);
  await repo.keep(slot.bead, head);
  return {
    type: "land.requested",
    bead: slot.bead,
    run: slot.run,
    data: {
      branch,
      from: made.head,
      base,
      head,
      method: wish.method,
      by: "operator",
      allow_protected: wish.allowProtected,
    },
  };
}

/**
 * Takes a request back: whoever was interrupted does not expect it to be done behind their back. Once somebody has
 * said that they are about to push it, it is too late: whether they did shows in the default branch.
 */
export async function withdrawLanding(ledger: Ledger, { id, bead }: Landing): Promise<void> {
  const data = {
    request: id,
    result: "error" satisfies LandResult,
    code: "interrupted",
    detail: landWords.withdrawn(),
  } as const;
  let view = await ledger.refresh();
  for (;;) {
    const open = view.state.landings.find((landing) => landing.id === id);
    if (open === undefined || open.intended !== null) return;
    const answer = await ledger.claim([{ type: "land.refused", bead, data }], view);
    if (answer.kind === "won") return;
    view = answer.view;
  }
}
