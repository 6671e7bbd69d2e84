import type { WithdrawalRefusal } from "../../../control/decide-withdrawal.js";
import type { LandingEnd } from "../../../land/landing-queue.js";
import type { OperatorPullRefusal } from "../../../land/pull/decide-pull-request.js";
import type { PullRefusal } from "../../../land/pull/pull-refusal.js";
import { atTerminal } from "./pull-commands.js";
import { notQueuedAdvice, notWithdrawnAdvice } from "./pull-terminal.js";
import { pullRefusalDetail, pullWords } from "./pull-words.js";

interface Named {
  readonly pull: number;
  /** Null for a pull request that carries no bead's work. */
  readonly bead: string | null;
}

type EndedPull =
  | LandingEnd
  | { readonly kind: "refused"; readonly refusal: PullRefusal; readonly unmet: readonly PullRefusal[] }
  | { readonly kind: "held" | "stopped" | "waiting" };

/** A promise to programs, as docs/json.md describes it. */
export function pullLandingJson({ pull, bead }: Named, outcome: EndedPull, branch: string) {
  switch (outcome.kind) {
    case "landed": {
      const { head, receipt = null, carried } = outcome;
      const approved = carried?.approved ?? null;
      return { bead, pull, result: "merged", head, branch, receipt, approved };
    }
    case "refused": {
      const how = atTerminal(pull);
      const { refusal, unmet } = outcome;
      const { code: reason_code, next } = pullWords(refusal, how);
      const detail = pullRefusalDetail(refusal, how);
      const all = unmet.map((each) => pullWords(each, how));
      return { bead, pull, detail, result: "error", reason_code, next, unmet: all };
    }
    case "gone":
    case "held":
    case "stopped":
    case "waiting":
      return { bead, pull, result: outcome.kind };
  }
}

/** The same for one that did not come into the queue. */
export function notQueuedJson({ pull, bead }: Named, refusal: OperatorPullRefusal) {
  const { message: detail, hint: next } = notQueuedAdvice(`#${pull}`, pull, refusal);
  if (refusal.code === "held") return { bead, pull, detail, result: "held" };
  return { bead, pull, detail, result: "error", reason_code: refusal.code, next };
}

/** The same for one that was taken back, or could not be. */
export function withdrawnJson({ pull, bead }: Named) {
  return { bead, pull, result: "withdrawn" };
}

export function notWithdrawnJson(name: string, pull: number | null, refusal: WithdrawalRefusal) {
  const { message: detail, hint: next } = notWithdrawnAdvice(name, refusal);
  const bead = name.startsWith("#") ? null : name;
  return { bead, pull, detail, result: "error", reason_code: refusal.code, next };
}
