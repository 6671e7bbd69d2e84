import { decideRequest, type LandWish, type RequestRefusal } from "../core/land/decide-request.js";
import type { NewEvent } from "../core/run/ledger/ledger-event.js";
import type { Landing, LedgerState } from "../core/run/ledger/ledger-state.js";
import type { Slot } from "../core/run/ledger/slot.js";
import { waitsForPerson } from "../core/run/ledger/slot-groups.js";
import type { Ledger } from "../ports/ledger.js";
import type { Repo } from "../ports/repo.js";
import { refuseLanding } from "./refuse-landing.js";

export type LandingRequest =
  | { readonly kind: "requested"; readonly landing: Landing; readonly slot: Slot }
  | {
      readonly kind: "landed";
      readonly head: string;
      readonly branch: string | null;
      readonly settled: boolean;
    }
  /** It cannot be landed as it stands, and nothing was recorded. */
  | { readonly kind: "refused"; readonly refusal: RequestRefusal };

/**
 * Puts a bead into the landing queue because a person asked for it. What is there now is what lands: commits that
 * came after the engine had accepted the branch are taken along, signed and checked like the others.
 */
export async function requestLanding(
  { ledger, repo }: { readonly ledger: Ledger; readonly repo: Repo },
  wish: LandWish,
): Promise<LandingRequest> {
  const { bead } = wish;
  let view = await ledger.refresh();
  for (;;) {
    const { slots, holds } = view.state;
    const slot = slots[bead];
    const step = decideRequest(wish, {
      slot,
      hold: holds[bead],
      open: openLanding(view.state, bead),
      isIdle: slot !== undefined && waitsForPerson(slot),
    });
    if (step.kind === "refuse") return { kind: "refused", refusal: step.refusal };
    if (slot === undefined) throw new Error(`a landing of ${bead} was decided on, which no run has taken`);
    switch (step.kind) {
      case "landed": {
        const { candidate, settled } = slot;
        return { kind: "landed", head: step.head, branch: candidate?.branch ?? null, settled };
      }
      case "join":
        // Asked for on another machine, maybe: this brings in the commits that it saved on the remote.
        await repo.candidate(bead);
        return { kind: "requested", landing: step.landing, slot };
      case "ask": {
        const asked = await requestEvent(repo, slot, wish);
        if ("refusal" in asked) return { kind: "refused", refusal: asked.refusal };
        const answer = await ledger.claim([asked], view);
        view = answer.view;
        if (answer.kind === "lost") break;
        const landing = openLanding(view.state, bead);
        const moved = view.state.slots[bead];
        if (landing !== null && moved !== undefined) return { kind: "requested", landing, slot: moved };
        throw new Error(`the landing of ${bead} was recorded and is not in the queue`);
      }
    }
  }
}

function openLanding(state: LedgerState, bead: string): Landing | null {
  return state.landings.find((landing) => landing.bead === bead) ?? null;
}

async function requestEvent(
  repo: Repo,
  slot: Slot,
  wish: LandWish,
): Promise<NewEvent | { readonly refusal: RequestRefusal }> {
  const { branch } = await repo.fetchBase();
  const made = await repo.candidate(slot.bead);
  if (made === null) return { refusal: { kind: "no_commits" } };
  const known = slot.candidate?.from === made.head ? slot.candidate : null;
  // Anybody who can push can put commits where saved work lies: only what was accepted, or comes from a clone here, counts.
  if (known === null && !(await repo.isBranchAt(slot.bead, made.head)))
    return { refusal: { kind: "not_accepted" } };
  // Also what was accepted before there was a key; and what another machine signed, which has saved it as it was before.
  const accepted = known !== null && (await repo.has(known.head)) ? known : made;
  const { base, head } = await repo.sign(slot.bead, accepted);
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
      ...(wish.allowSecrets && { allow_secrets: true }),
    },
  };
}

/**
 * Takes a request back: whoever was interrupted does not expect it to be done behind their back. Once somebody has
 * said that they are about to push it, it is too late: whether they did shows in the default branch.
 */
export async function withdrawLanding(ledger: Ledger, landing: Landing): Promise<void> {
  await refuseLanding(ledger, landing, { kind: "interrupted" }, () => true);
}
