import { CarriedState } from "../../../core/run/ledger/carried-state.js";
import type { EventData } from "../../../core/run/ledger/event-data.js";
import type { LedgerEvent } from "../../../core/run/ledger/ledger-event.js";
import { type LedgerState, REDUCER_VERSION } from "../../../core/run/ledger/ledger-state.js";

export interface RollFacts {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  /** Of the koryph that writes it. */
  readonly version: string;
  readonly previous: string;
  readonly state: LedgerState;
  readonly purge: EventData<"ledger.rolled">["purge"];
}

/** What opens the next chain. Critical: whoever cannot read it would take the ledger for an empty one. */
export function rollEvent({ id, at, actor, version, previous, state, purge }: RollFacts): LedgerEvent {
  return {
    id,
    at,
    actor,
    type: "ledger.rolled",
    critical: true,
    needs: version,
    data: {
      number: state.chain.number + 1,
      previous,
      reducer: REDUCER_VERSION,
      state: CarriedState.parse(state),
      purge,
    },
  };
}
