import { resumedLines } from "../core/replies/run/progress.js";
import type { LedgerState } from "../core/run/ledger/ledger-state.js";
import { resumeChoices } from "../core/run/plan/resume-choices.js";
import type { RunOptions } from "../core/run/tick/tick-facts.js";
import type { PlanOptions } from "../engine/plan-run.js";
import { backoffSeconds } from "./run-variables.js";

/** How a run is to go, as its flags or the Action's inputs say. */
export interface RunFlags extends PlanOptions {
  readonly once?: boolean;
  readonly resume?: boolean;
  readonly budget?: number;
  readonly review?: boolean;
  readonly autoMerge?: boolean;
  readonly allowRedBase?: boolean;
  readonly direct?: boolean;
  readonly billingGuard?: boolean;
  readonly allowApiSpend?: boolean;
  readonly dispatchMode?: "rolling" | "wave";
}

/** The flags with what the run that goes on was started with. */
export function asBefore<T extends RunFlags>(
  { run }: Pick<LedgerState, "run">,
  flags: T,
  say: (line: string) => void,
): T {
  const { only, parent, max, model, budget } = flags;
  const given = {
    ...{ only, parent, max, model, budget, default_model: flags.defaultModel },
    ...{ auto_merge: flags.autoMerge, direct: flags.direct, allow_red_base: flags.allowRedBase },
  };
  // Whoever can write the ledger could have raised the sum: what bounds a key is said by whoever allows it.
  const budgetBefore = flags.allowApiSpend ? undefined : (run?.budgetUsd ?? undefined);
  const before = { ...run?.choices, budget: budgetBefore };
  const resumed = resumeChoices(given, before);
  for (const line of resumedLines(resumed)) say(line);
  const { default_model: defaultModel, ...same } = resumed.kept;
  // Nothing that was asked for now is among them.
  return { ...flags, ...same, ...(defaultModel !== undefined && { defaultModel }) };
}

export function runOptions(
  flags: RunFlags,
  configured: "rolling" | "wave",
  env: NodeJS.ProcessEnv,
): RunOptions {
  return {
    mode: flags.dispatchMode ?? configured,
    once: flags.once ?? false,
    max: flags.max,
    budgetUsd: flags.budget,
    model: flags.model,
    defaultModel: flags.defaultModel,
    review: flags.review ?? false,
    autoMerge: flags.autoMerge ?? false,
    allowRedBase: flags.allowRedBase ?? false,
    direct: flags.direct ?? false,
    billingGuard: flags.billingGuard ?? true,
    allowApiSpend: flags.allowApiSpend ?? false,
    backoffSeconds: backoffSeconds(env),
  };
}
