import type { Repository } from "../state.js";
import { matchesGlob, type Rule } from "./ruleset.js";

/** What GitHub had before rulesets: one set of switches for a branch, or for all that fit a pattern. */
export interface Protection {
  /** May have stars. */
  readonly branch: string;
  readonly enforceAdmins: boolean;
  readonly checks: {
    readonly strict: boolean;
    readonly required: readonly { readonly context: string; readonly app: number | null }[];
  } | null;
  readonly reviews: {
    readonly count: number;
    readonly dismissStale: boolean;
    readonly codeOwners: boolean;
    readonly lastPush: boolean;
  } | null;
  readonly signatures: boolean;
  readonly linear: boolean;
  readonly conversations: boolean;
  readonly forcePushes: boolean;
  readonly deletions: boolean;
}

/** Protected, and no more: nothing can be forced or deleted. */
export const BARE_PROTECTION: Omit<Protection, "branch"> = {
  ...{ enforceAdmins: false, checks: null, reviews: null, signatures: false, linear: false },
  ...{ conversations: false, forcePushes: false, deletions: false },
};

/** Null for a branch without one. One that names the branch goes before one that only fits it. */
export function protectionOf({ protections }: Repository, branch: string): Protection | null {
  return (
    protections.find((each) => each.branch === branch) ??
    protections.find((each) => matchesGlob(branch, each.branch)) ??
    null
  );
}

/** The same in the words of rulesets, so that there is one judge for both. */
export function protectionRules(protection: Protection): Rule[] {
  const { checks, reviews } = protection;
  const bare = (type: string, wanted: boolean): Rule[] => (wanted ? [{ type, parameters: {} }] : []);
  return [
    ...bare("deletion", !protection.deletions),
    ...bare("non_fast_forward", !protection.forcePushes),
    ...bare("required_linear_history", protection.linear),
    ...bare("required_signatures", protection.signatures),
    ...(reviews === null && !protection.conversations
      ? []
      : [
          {
            type: "pull_request",
            parameters: {
              required_approving_review_count: reviews?.count ?? 0,
              dismiss_stale_reviews_on_push: reviews?.dismissStale ?? false,
              require_code_owner_review: reviews?.codeOwners ?? false,
              require_last_push_approval: reviews?.lastPush ?? false,
              required_review_thread_resolution: protection.conversations,
            },
          },
        ]),
    ...(checks === null
      ? []
      : [
          {
            type: "required_status_checks",
            parameters: {
              strict_required_status_checks_policy: checks.strict,
              required_status_checks: checks.required.map(({ context, app }) => ({
                context,
                ...(app === null ? {} : { integration_id: app }),
              })),
            },
          },
        ]),
  ];
}
