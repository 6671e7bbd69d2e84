import type { RiskTier } from "./risk-tier.js";

export interface RetryRule {
  /** At so many deaths of its agents a bead, or its stage, is given up. */
  readonly mostDeaths: number;
  /** Its waits between attempts, as a multiple of the usual ones. */
  readonly waits: number;
}

/** The less can go wrong, the oftener and sooner koryph tries again by itself; the riskiest work is soon a person's. */
const RETRY_RULES: Readonly<Record<RiskTier, RetryRule>> = {
  0: { mostDeaths: 5, waits: 0.5 },
  1: { mostDeaths: 4, waits: 1 },
  2: { mostDeaths: 3, waits: 1 },
  3: { mostDeaths: 2, waits: 4 },
};

/** How often and how eagerly a bead is tried again. A tier that a ledger names and nobody knows is the usual one. */
export function retryRule(tier: number): RetryRule {
  return Object.hasOwn(RETRY_RULES, tier) ? RETRY_RULES[tier as RiskTier] : RETRY_RULES[2];
}
