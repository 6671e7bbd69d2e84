import type { ProjectConfig } from "../core/config/project-schema.js";
import { type PullStanding, pullStanding } from "../core/control/pull-standing.js";
import { unmetForLanding } from "../core/land/pull/unmet-for-landing.js";
import { pullSubject } from "../core/model/pull.js";
import type { Landing } from "../core/run/ledger/ledger-state.js";
import type { Ledger, LedgerTail } from "../ports/ledger.js";
import type { PullFacts } from "../ports/pulls.js";
import { carriedApproval, withCompared } from "./approvals/carried-approval.js";
import { gatherFactsOf, type LandFactsParts, type LandPullSettings } from "./gather-land-facts.js";

export interface SurveyParts extends LandFactsParts {
  readonly ledger: Pick<Ledger, "refresh"> & LedgerTail;
}

export interface SurveySettings extends LandPullSettings {
  readonly config: LandPullSettings["config"] & Pick<ProjectConfig, "merge_method">;
}

/** What a busy day of a ledger comes to. */
export const MOST_RECENT = 500;

/**
 * How a pull request stands, with everything that its landing lacks: that of the landing in the queue, or of one that
 * somebody would ask for now. Null when there is no such pull request. Nothing is changed by it.
 */
export async function surveyPull(
  parts: SurveyParts,
  settings: SurveySettings,
  number: number,
): Promise<PullStanding | null> {
  const { state } = await parts.ledger.refresh();
  const pull = await parts.pulls.read(number);
  if (pull === null) return null;
  const recent = await parts.ledger.recent(MOST_RECENT);
  const queued = state.landings.find((landing) => landing.pull === number);
  const request = queued ?? imagined(pull, settings, parts.now());
  const open = pull.state === "open";
  const facts = open ? await gatherFactsOf(parts, settings, { state, pull, request, gated: null }) : null;
  const unmet = facts === null ? [] : unmetForLanding(facts);
  const carried = facts && carriedApproval(facts);
  return withCompared(parts.repo, pullStanding({ pull, state, recent, unmet, carried }));
}

/** The landing that somebody would ask for now. */
function imagined({ number, head, base }: PullFacts, { config }: SurveySettings, now: number): Landing {
  return {
    ...{ id: "", at: new Date(now).toISOString(), actor: "", bead: pullSubject(number), kind: "land-pull" },
    ...{ branch: base.branch, pull: number, base: base.sha, head: head.sha, asked: head.sha },
    ...{ method: config.merge_method, by: "operator", allowProtected: false, before: "pr-opened" },
    ...{ moves: 0, intended: null },
  };
}
