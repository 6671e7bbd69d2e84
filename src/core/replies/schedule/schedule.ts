import { plainText } from "../../../lib/plain-text.js";
import { NO_MODEL } from "../../runtimes/no-model.js";
import type { DispatchRefusal } from "../../schedule/dispatch-refusal.js";
import { denialText } from "../govern/denial-text.js";
import { withheldText } from "../issues/withheld.js";
import { accountName, percentText, unmeasuredWindow, windowName } from "../quota/quota-words.js";
import { pauseText } from "../run/pauses.js";
import { bare, typed } from "../typed.js";

/** Why a bead is not dispatched now, without a full stop. */
export function dispatchRefusalText(refusal: DispatchRefusal): string {
  return bare(dispatchRefusalSentence(refusal));
}

/** The same with its commands between backticks, for markdown. */
export function dispatchRefusalSentence(refusal: DispatchRefusal): string {
  switch (refusal.code) {
    case "issue_type":
      return `non-dispatch issue_type ${refusal.type}`;
    case "gate_label":
      return `gate label ${refusal.label}`;
    case "not_released":
      return `not released: ${withheldText(refusal.why)}`;
    case "no_dispatch":
      return "no-dispatch label";
    case "refactor_core":
      return "refactor-core label";
    case "already_active":
      return "already active";
    case "held":
      return `held by ${plainText(refusal.actor)}${refusal.reason === "" ? "" : `: ${plainText(refusal.reason)}`}`;
    case "container":
      return "container bead";
    case "wave_full":
      return "wave full";
    case "resource_at_capacity":
      return refusal.by === null
        ? `resource ${refusal.resource} has no place`
        : `resource ${refusal.resource} at capacity (held by ${refusal.by})`;
    case "conflict_in_flight":
      return `footprint conflict with ${refusal.by} (in-flight)`;
    case "conflict":
      return `footprint conflict with ${refusal.by}`;
    case "reserved":
      return `reserved for ${refusal.by}`;
    case "blocked":
      return `blocked (${typed(`koryph retry ${refusal.bead}`)} lets it go on)`;
    case "merge_pending":
      return "finished, waiting to land";
    case "merged":
      return "landed, about to be closed";
    case "beyond_budget":
      return `may cost ${usd(refusal.estimateUsd)}, and ${usd(refusal.leftUsd)} of the budget is left`;
    case "behind_budget":
      return `waits behind ${refusal.by}, which the budget cannot pay`;
    case "policy_refused":
      return `merge policy ${refusal.policy} (${plainText(refusal.rationale)}) needs a remote on GitHub, which this project does not have`;
    case "runtime_paused":
      return `${pauseText(refusal)}${refusal.probing ? " (one agent tries whether it is over)" : ""}`;
    case "not_admitted":
      return denialText(refusal.why);
    case "quota_reached": {
      const { pool, window, fraction, level } = refusal;
      const what = level === "stop" ? "no agent is started" : "no new bead is started";
      return `${accountName(pool)} is at ${percentText(fraction)} of ${windowName(window)}: ${what}`;
    }
    case "quota_unmeasured":
      return unmeasuredWindow(refusal.pool, refusal.window);
    case "quota_narrowed": {
      const { pool, window, fraction, width } = refusal;
      const at = `${accountName(pool)} is at ${percentText(fraction)} of ${windowName(window)}`;
      return `${at}: ${width === 1 ? "one agent" : `${width} agents`} at once`;
    }
    case "quota_exceeded": {
      const { pool, estimateUsd, spentUsd, ceilingUsd } = refusal;
      const account = accountName(pool);
      return `may bring ${account} to ${usd(spentUsd + estimateUsd)} of the ${usd(ceilingUsd)} that ${windowName("fiveHour")} hold`;
    }
    case "model_refused":
    case "runtime_refused":
      return refusal.problem;
  }
}

/** How many agents may work at once; `clipped` is a wish for more than the project allows. */
export function widthText(width: number, clipped: number | undefined): string {
  return clipped === undefined
    ? `width ${width}`
    : `width ${width} (--max ${clipped} is above max_concurrent_slots)`;
}

/** What an agent runs on, in the few words of a line. */
export function modelText({ runtime, model }: { readonly runtime: string; readonly model: string }): string {
  return plainText(model === NO_MODEL ? `${runtime}, without a model` : model);
}

/** What a bead may cost, and what that leaves. */
export function estimateText(estimateUsd: number, leftUsd: number): string {
  return `${usd(estimateUsd)}, leaves ${usd(leftUsd)} of the budget`;
}

function usd(amount: number): string {
  return `$${amount.toFixed(2)}`;
}
