import type { RunEndReason } from "./tick-facts.js";

/** What whoever starts runs may want to do after one. */
export type RunOutcome =
  /** Nothing is left to do. */
  | "complete"
  /** Another run has something to do, now or later. */
  | "continue"
  /** A person, the budget or the quota ended it: a person decides how to go on. */
  | "stop"
  /** It could not do its work. */
  | "failure";

/** `code` is what the process ends with: `--strict` makes failures of others. */
export function runOutcome(reason: RunEndReason, code: number): RunOutcome {
  if (code !== 0 && code !== 4) return "failure";
  switch (reason) {
    case "drained":
      return "complete";
    case "once":
    case "all-deferred":
    case "interrupted":
      return "continue";
    case "operator-drain":
    case "budget-cap":
    case "quota-cap":
      return "stop";
    case "runtime-fault":
    case "gate-red-on-base":
    case "failed":
      return "failure";
  }
}

/** Stable, for programs. */
export function reasonCode(reason: RunEndReason): string {
  return reason.replaceAll("-", "_");
}
