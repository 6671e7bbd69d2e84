import type { Landing, LedgerState } from "../run/ledger/ledger-state.js";

/** Why a landing cannot be taken back. Codes are stable, for tools. */
export type WithdrawalRefusal =
  | { readonly code: "not_queued" }
  /** Somebody has said that they are about to push it, and that push may still arrive. */
  | { readonly code: "too_late"; readonly head: string };

export type WithdrawalDecision =
  | { readonly kind: "withdraw"; readonly landing: Landing }
  | { readonly kind: "refuse"; readonly refusal: WithdrawalRefusal };

/** The code under which a landing leaves the queue that somebody has taken back. */
export const WITHDRAWN = "withdrawn";

/** Whether the landing of a pull request can be taken back: by anybody who may ask for one. */
export function decideWithdrawal(
  { landings }: Pick<LedgerState, "landings">,
  number: number,
): WithdrawalDecision {
  const landing = landings.find(({ pull }) => pull === number);
  if (landing === undefined) return { kind: "refuse", refusal: { code: "not_queued" } };
  const { intended } = landing;
  return intended === null
    ? { kind: "withdraw", landing }
    : { kind: "refuse", refusal: { code: "too_late", head: intended.head } };
}
