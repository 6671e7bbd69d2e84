import type { TokenCounts } from "../../model/token-counts.js";
import { fold } from "../ledger/fold/fold.js";
import { agentKey, tokensIn } from "../ledger/fold/fold-spending.js";
import type { EventReading } from "../ledger/ledger-event.js";
import { emptyState, type LedgerState } from "../ledger/ledger-state.js";

/** What one agent cost, once it has ended. */
export interface AgentCost {
  readonly run: string;
  readonly bead: string;
  /** `<runtime>/<model>`. */
  readonly model: string;
  readonly costUsd: number;
  /** False where it is an estimate. */
  readonly costKnown: boolean;
  /** It was billed by use to a key. */
  readonly billed?: boolean;
  /** Absent where its program did not tell. */
  readonly tokens?: TokenCounts;
}

/** What the agents of a ledger cost, of every run that its lines tell of; each line once, in order. */
export class AgentCosts {
  readonly #state: LedgerState = emptyState();
  readonly #runs = new Set<string>();
  readonly #ended: AgentCost[] = [];

  hear(reading: EventReading): void {
    const event = reading.kind === "event" ? reading.event : undefined;
    const before = this.#state.slots[event?.bead ?? ""]?.status;
    fold(this.#state, reading);
    if (event?.type === "run.started" && this.#state.run !== null) this.#runs.add(this.#state.run.id);
    // An end that came too late, or twice, moved no slot, and is paid for by nobody.
    const slot = this.#state.slots[event?.bead ?? ""];
    if (event?.type !== "slot.ended" || slot?.status !== "ended" || before === "ended") return;
    const tokens = tokensIn(event.data.usage);
    this.#ended.push({
      run: event.run ?? slot.run,
      bead: slot.bead,
      model: agentKey(slot),
      costUsd: event.data.usage.cost_usd,
      costKnown: event.data.usage.cost_known,
      ...(tokens !== undefined && { tokens }),
      ...(slot.account?.billing !== undefined && { billed: true }),
    });
  }

  get ended(): readonly AgentCost[] {
    return this.#ended;
  }

  /** How many runs the lines tell of. */
  get runs(): number {
    return this.#runs.size;
  }
}
