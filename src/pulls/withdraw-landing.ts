import { decideWithdrawal, WITHDRAWN, type WithdrawalRefusal } from "../core/control/decide-withdrawal.js";
import { pullReplies } from "../core/replies/land/pull/pull-replies.js";
import type { NewEvent } from "../core/run/ledger/ledger-event.js";
import type { Landing } from "../core/run/ledger/ledger-state.js";
import type { Ledger } from "../ports/ledger.js";

export type Withdrawal =
  | { readonly kind: "withdrawn"; readonly landing: Landing }
  | { readonly kind: "refused"; readonly refusal: WithdrawalRefusal };

/** Takes the landing of a pull request off the queue, whoever asked for it. */
export async function withdrawPullLanding(
  ledger: Pick<Ledger, "refresh" | "claim">,
  pull: number,
): Promise<Withdrawal> {
  let view = await ledger.refresh();
  for (;;) {
    const decision = decideWithdrawal(view.state, pull);
    if (decision.kind === "refuse") return { kind: "refused", refusal: decision.refusal };
    const { landing } = decision;
    // A claim: nobody may have announced or made a push of it in the meantime.
    const answer = await ledger.claim([withdrawalEvent(landing)], view);
    if (answer.kind === "won") return { kind: "withdrawn", landing };
    view = answer.view;
  }
}

export function withdrawalEvent({ id, bead }: Pick<Landing, "id" | "bead">): NewEvent {
  const detail = pullReplies.withdrawnDetail();
  return {
    type: "land.refused",
    bead,
    data: { request: id, result: "error", code: WITHDRAWN, detail, data: {} },
  };
}
