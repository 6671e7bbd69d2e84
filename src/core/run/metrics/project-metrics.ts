import { naturalOrder } from "../../../lib/natural-order.js";
import { type GovernorStanding, governorStanding } from "../../govern/governor-standing.js";
import { addTokens, type TokenCounts } from "../../model/token-counts.js";
import { isUnderWay, type LedgerState } from "../ledger/ledger-state.js";
import type { SeenMachine, UnseenMachine } from "../plan/admit-plan.js";
import { type QuotaReport, quotaReports } from "../plan/quota-facts.js";
import type { QuotaFacts } from "../plan/quota-refusal.js";
import type { AgentCost } from "./agent-costs.js";

/** What agents that have ended cost together. */
export interface CostSum {
  readonly agents: number;
  readonly costUsd: number;
  /** False when part of it is an estimate. */
  readonly costKnown: boolean;
  /** What of it was billed by use to a key; absent where nothing was. */
  readonly apiUsd?: number | undefined;
  /** What those of them read and wrote whose programs told it; absent where none did. */
  readonly tokens?: TokenCounts | undefined;
}

export interface NamedCost extends CostSum {
  readonly name: string;
}

/** The dearest first; `rest` is what was left out. */
export interface CostRanking {
  readonly top: readonly NamedCost[];
  readonly rest: CostSum & { readonly names: number };
}

export interface CostMetrics {
  readonly total: CostSum;
  readonly models: CostRanking;
  readonly beads: CostRanking;
  /** By parent; beads without one are in none. Null where nobody could tell who has which. */
  readonly epics: CostRanking | null;
}

export interface ProjectMetrics {
  readonly machine: GovernorStanding | UnseenMachine;
  /** Accounts of which somebody has calibrated a window. */
  readonly quota: readonly QuotaReport[];
  /** The newest run; null before the first. */
  readonly run: { readonly id: string; readonly underWay: boolean; readonly costs: CostMetrics } | null;
  readonly all: {
    readonly runs: number;
    readonly costs: CostMetrics;
    /** Earlier events were rolled into archives that were not read. */
    readonly archivedLeftOut: boolean;
  };
}

export interface MetricsFacts {
  readonly state: Pick<LedgerState, "run">;
  readonly ended: readonly AgentCost[];
  readonly runs: number;
  readonly archivedLeftOut: boolean;
  readonly machine: SeenMachine | UnseenMachine;
  readonly quota: QuotaFacts | undefined;
  /** Bead → parent, for those that have one; null where the tracker does not answer. */
  readonly parents: ReadonlyMap<string, string> | null;
  /** How many names a ranking has. */
  readonly most: number;
}

/** How the machine, the accounts and the costs of a project stand. */
export function projectMetrics(facts: MetricsFacts): ProjectMetrics {
  const { state, ended, runs, archivedLeftOut, machine, quota } = facts;
  const { run } = state;
  return {
    machine:
      "problem" in machine
        ? { problem: machine.problem }
        : governorStanding(machine.state, machine.dead, machine.now),
    quota: quota === undefined ? [] : quotaReports(quota),
    run: run && {
      id: run.id,
      underWay: isUnderWay(state),
      costs: costMetrics(
        ended.filter((agent) => agent.run === run.id),
        facts,
      ),
    },
    all: { runs, costs: costMetrics(ended, facts), archivedLeftOut },
  };
}

function costMetrics(
  agents: readonly AgentCost[],
  { parents, most }: Pick<MetricsFacts, "parents" | "most">,
): CostMetrics {
  return {
    total: costSum(agents),
    models: costRanking(agents, ({ model }) => model, most),
    beads: costRanking(agents, ({ bead }) => bead, most),
    epics: parents && costRanking(agents, ({ bead }) => parents.get(bead), most),
  };
}

/** Agents by whatever `nameOf` says; those of which it says nothing are left out. */
export function costRanking(
  agents: readonly AgentCost[],
  nameOf: (agent: AgentCost) => string | undefined,
  most: number,
): CostRanking {
  const groups = new Map<string, AgentCost[]>();
  for (const agent of agents) {
    const name = nameOf(agent);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [agent]);
    else group.push(agent);
  }
  return rankCosts(
    [...groups].map(([name, own]) => ({ name, ...costSum(own) })),
    most,
  );
}

/** The dearest first. */
export function rankCosts(costs: readonly NamedCost[], most: number): CostRanking {
  const ranked = costs.toSorted((a, b) => b.costUsd - a.costUsd || naturalOrder(a.name, b.name));
  const left = ranked.slice(most);
  const rest = left.reduce(addCosts, costSum([]));
  return { top: ranked.slice(0, most), rest: { names: left.length, ...rest } };
}

function costSum(agents: readonly AgentCost[]): CostSum {
  const none: CostSum = { agents: 0, costUsd: 0, costKnown: true };
  return agents
    .map(({ costUsd, costKnown, billed, tokens }): CostSum => {
      const cost = { agents: 1, costUsd, costKnown, ...(tokens !== undefined && { tokens }) };
      return billed ? { ...cost, apiUsd: costUsd } : cost;
    })
    .reduce(addCosts, none);
}

function addCosts(one: CostSum, other: CostSum): CostSum {
  const apiUsd =
    one.apiUsd === undefined && other.apiUsd === undefined
      ? undefined
      : (one.apiUsd ?? 0) + (other.apiUsd ?? 0);
  const tokens =
    one.tokens === undefined
      ? other.tokens
      : other.tokens === undefined
        ? one.tokens
        : addTokens(one.tokens, other.tokens);
  return {
    agents: one.agents + other.agents,
    costUsd: one.costUsd + other.costUsd,
    costKnown: one.costKnown && other.costKnown,
    ...(apiUsd !== undefined && { apiUsd }),
    ...(tokens !== undefined && { tokens }),
  };
}
