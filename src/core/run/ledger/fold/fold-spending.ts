import { addTokens, NO_TOKENS, type TokenCounts } from "../../../model/token-counts.js";
import type { EventData } from "../event-data.js";
import type { Slot } from "../slot.js";

/** What attempts with one runtime and model have cost here. */
export interface Spending {
  attempts: number;
  /** Later attempts weigh more: prices and prompts change. */
  usualUsd: number;
}

/** What agents with one runtime and model have cost together. */
export interface RunCost {
  readonly agents: number;
  readonly costUsd: number;
  /** False when part of it is an estimate. */
  readonly costKnown: boolean;
  /** What of it was billed by use to a key; absent where nothing was. */
  readonly apiUsd?: number | undefined;
  /** Of those agents whose programs told it; absent where none did. */
  readonly tokens?: TokenCounts | undefined;
}

const NEWEST_WEIGHS = 0.3;

/** Attempts that ran their course. One that was cut short says little about what the next one will cost. */
const WHOLE: ReadonlySet<string> = new Set(["completed", "timed-out", "max-turns", "budget"]);

export function spendingKey(runtime: string, model: string): string {
  return `${runtime}/${model}`;
}

/** The runtime and the model of the agent that is, or was, at work on a slot. */
export function agentKey({ asides, task, runtime, model }: Slot): string {
  return spendingKey(runtime, asides.find((stage) => stage.task === task)?.model ?? model);
}

/** Counts what an ended attempt has cost, in place. An estimate is no experience. */
export function foldSpending(
  spent: Record<string, Spending>,
  slot: Slot,
  { outcome, usage }: EventData<"slot.ended">,
): void {
  if (!usage.cost_known || !WHOLE.has(outcome)) return;
  const key = agentKey(slot);
  const { attempts, usualUsd } = spent[key] ?? { attempts: 0, usualUsd: usage.cost_usd };
  spent[key] = { attempts: attempts + 1, usualUsd: usualUsd + NEWEST_WEIGHS * (usage.cost_usd - usualUsd) };
}

/** Adds what an ended agent has cost, in place, estimates included: that is what people are told. */
export function foldRunCost(
  costs: Record<string, RunCost>,
  slot: Slot,
  { usage }: EventData<"slot.ended">,
): void {
  const key = agentKey(slot);
  const { agents, costUsd, costKnown, apiUsd, tokens } = costs[key] ?? {
    agents: 0,
    costUsd: 0,
    costKnown: true,
  };
  const billed = slot.account?.billing === undefined ? apiUsd : (apiUsd ?? 0) + usage.cost_usd;
  const told = tokensIn(usage);
  const sum = told === undefined ? tokens : addTokens(tokens ?? NO_TOKENS, told);
  costs[key] = {
    ...(sum !== undefined && { tokens: sum }),
    ...(billed !== undefined && { apiUsd: billed }),
    agents: agents + 1,
    costUsd: costUsd + usage.cost_usd,
    costKnown: costKnown && usage.cost_known,
  };
}

/** Undefined where the agent's program did not tell. */
export function tokensIn({ tokens }: EventData<"slot.ended">["usage"]): TokenCounts | undefined {
  if (tokens === undefined) return undefined;
  const { input, output, cache_read: cacheRead, cache_write: cacheWrite } = tokens;
  return { input, output, cacheRead, cacheWrite };
}
