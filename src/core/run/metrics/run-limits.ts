import { governorStanding, type PoolStanding } from "../../govern/governor-standing.js";
import type { LedgerState } from "../ledger/ledger-state.js";
import type { SeenMachine, UnseenMachine } from "../plan/admit-plan.js";
import { type CostRanking, rankCosts } from "./project-metrics.js";

/** The accounts whose cap moves by itself; empty where none does, or nobody can tell. */
export function adaptivePools(machine: SeenMachine | UnseenMachine): readonly PoolStanding[] {
  if ("problem" in machine) return [];
  return governorStanding(machine.state, machine.dead, machine.now).pools.filter(({ adaptive }) => adaptive);
}

/** How many models a line names. */
const MOST_MODELS = 5;

/** What agents of the newest run have cost by model, those that cost nothing left out; the dearest first. */
export function runModelCosts({ runCosts }: Pick<LedgerState, "runCosts">, most = MOST_MODELS): CostRanking {
  const costs = Object.entries(runCosts).map(([name, cost]) => ({ name, ...cost }));
  return rankCosts(
    costs.filter(({ costUsd }) => costUsd > 0),
    most,
  );
}
