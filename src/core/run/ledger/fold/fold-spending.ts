import type { EventData } from "../event-data.js";
import type { Slot } from "../slot.js";

/** What attempts with one runtime and model have cost here. */
export interface Spending {
  attempts: number;
  /** Later attempts weigh more: prices and prompts change. */
  usualUsd: number;
}

const NEWEST_WEIGHS = 0.3;

/** Attempts that ran their course. One that was cut short says little about what the next one will cost. */
const WHOLE: ReadonlySet<string> = new Set(["completed", "timed-out", "max-turns", "budget"]);

export function spendingKey(runtime: string, model: string): string {
  return `${runtime}/${model}`;
}

/** Counts what an ended attempt has cost, in place. An estimate is no experience. */
export function foldSpending(
  spent: Record<string, Spending>,
  { asides, task, runtime, model }: Slot,
  { outcome, usage }: EventData<"slot.ended">,
): void {
  if (!usage.cost_known || !WHOLE.has(outcome)) return;
  const key = spendingKey(runtime, asides.find((stage) => stage.task === task)?.model ?? model);
  const { attempts, usualUsd } = spent[key] ?? { attempts: 0, usualUsd: usage.cost_usd };
  spent[key] = { attempts: attempts + 1, usualUsd: usualUsd + NEWEST_WEIGHS * (usage.cost_usd - usualUsd) };
}
