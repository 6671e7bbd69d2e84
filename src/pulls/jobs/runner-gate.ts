import type { PullGate } from "../gate-pull.js";
import type { LandPullParts } from "../gather-land-facts.js";
import { askForJob } from "./ask-for-job.js";

/**
 * The project's own commands on a runner that is asked to run them. Green is what GitHub shows of that job in the very
 * run that was started for it; what the ledger says of it, whoever can push can write.
 */
export function runnerGate(
  parts: Pick<LandPullParts, "ledger" | "runner" | "digest" | "receipts">,
  commands: readonly string[],
): PullGate {
  const digest = parts.receipts.digest(commands);
  return {
    ...{ by: "runner", commands },
    async run(landing, base, settings) {
      const asked = { kind: "gate", head: landing.head, base, commands: digest } as const;
      const answer = await askForJob(parts, settings, landing, asked);
      switch (answer.kind) {
        case "done":
          return { kind: "green" };
        case "waits":
          return { kind: "waits", refusal: answer.refusal };
        case "ended":
          return { kind: "refused", refusal: answer.refusal };
      }
    },
  };
}
