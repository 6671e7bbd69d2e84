import type { LedgerEvent } from "../../src/core/run/ledger/ledger-event.js";
import type { AccountQuotas } from "../../src/ports/govern/account-quotas.js";
import type { Chance } from "./chance.js";

const CEILING_USD = 1_000;
/** What the levels are by the built-in ladder; nobody can measure the last one. */
const STANDS = [
  { spentUsd: 100, keepsBack: "nothing" },
  { spentUsd: 870, keepsBack: "nothing" },
  { spentUsd: 920, keepsBack: "new" },
  { spentUsd: 970, keepsBack: "all" },
  { spentUsd: null, keepsBack: "all" },
] as const;

/** An engine looks once a minute, decides by what it saw, and what it decided takes its time. */
const LAG_MS = 240_000;

/** The account that all agents of the world work on. It fills up, and empties when its window is over. */
export class SimAccounts {
  readonly #chance: Chance;
  #stands: (typeof STANDS)[number] = STANDS[0];
  #since = 0;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** Now and then it is another level's turn; null when nothing changes. */
  pass(now: number, calm: boolean): string | null {
    if (!calm && !this.#chance.percent(2)) return null;
    const stands = calm ? STANDS[0] : this.#chance.pick(STANDS);
    if (stands === this.#stands) return null;
    this.#stands = stands;
    this.#since = now;
    return `${stands.spentUsd ?? "?"} of ${CEILING_USD} USD are spent`;
  }

  port(): AccountQuotas {
    return {
      look: async () => {
        const { spentUsd } = this.#stands;
        const fiveHour = { ceilingUsd: CEILING_USD, spentUsd };
        const weekly = { ceilingUsd: null, spentUsd: null };
        return { guard: null, accounts: new Map([["", { fiveHour, weekly }]]) };
      },
    };
  }

  /** What is wrong: an agent is sent although everybody could know by now that the account is used up. */
  appended(event: LedgerEvent, now: number): string | null {
    if (event.type !== "slot.dispatching" || now - this.#since < LAG_MS) return null;
    const { keepsBack, spentUsd } = this.#stands;
    const isNew = event.data.attempt === 1;
    if (keepsBack !== "all" && !(keepsBack === "new" && isNew)) return null;
    return `${event.bead} was dispatched ${(now - this.#since) / 1000} s after ${spentUsd ?? "?"} USD were spent`;
  }
}
