import { isSameAccount } from "../../../govern/verify-identity.js";
import { NO_TOKENS } from "../../../model/token-counts.js";
import type { EventData } from "../event-data.js";
import type { Slot } from "../slot.js";

/** A stage or a review leaves the implementer's session alone, unless the account that keeps it is another by now. */
export function keptSession(
  before: Slot | undefined,
  { account }: EventData<"slot.dispatching">,
): Pick<Slot, "session" | "sessionCostUsd" | "sessionTokens"> {
  if (before === undefined || !isSameAccount(before.account, account))
    return { session: null, sessionCostUsd: 0, sessionTokens: NO_TOKENS };
  const { session, sessionCostUsd, sessionTokens } = before;
  return { session, sessionCostUsd, sessionTokens };
}
