import type { CommitSignature } from "../commit-signature.js";
import type { UncountedApproval } from "./count-approvals.js";

/** Where a project's gate runs on what is to land: on the machine that lands it, or on a runner that is asked to. */
export type GateRunner = "here" | "runner";

/** What a landing asks a runner for. */
export type RunnerTask = "rebase" | "gate";

/** A check that a landing waits for, or is refused because of. */
export interface NamedCheck {
  readonly name: string;
  /** What GitHub shows of it, such as `failure` or `in_progress`; empty when there is nothing to be seen. */
  readonly state: string;
}

/** Everything that can keep a pull request from landing, with what was found. Codes are stable, for tools. */
export type PullRefusal =
  | { readonly code: "not_open"; readonly merged: boolean }
  | { readonly code: "draft" }
  /** Somebody has pointed it at another base branch since. */
  | { readonly code: "base_changed"; readonly asked: string; readonly actual: string }
  /** `asked` is what was to land, or was approved. */
  | { readonly code: "head_moved"; readonly asked: string; readonly actual: string }
  | { readonly code: "sha_mismatch"; readonly asked: string; readonly actual: string }
  | { readonly code: "too_large"; readonly commits: number }
  /** It has more than so many reviews with a verdict. */
  | { readonly code: "too_large"; readonly verdicts: number }
  | {
      readonly code: "not_approved";
      readonly needed: number;
      readonly counted: number;
      readonly left: readonly UncountedApproval[];
    }
  /** Their last word on it is a request for changes. */
  | { readonly code: "changes_requested"; readonly by: readonly string[] }
  | { readonly code: "ancestor_unapproved"; readonly pulls: readonly number[] }
  | { readonly code: "rules_unreadable"; readonly why: string }
  | { readonly code: "rule_unsupported"; readonly rules: readonly { type: string; why: string }[] }
  | { readonly code: "missing_bypass"; readonly rulesets: readonly string[] }
  /** A workflow run's own token cannot do it: pass the rules, or push so that checks start. */
  | {
      readonly code: "needs_app_token";
      readonly lacks: "bypass" | "checks";
      readonly rulesets: readonly string[];
    }
  | {
      readonly code: "code_owner_missing";
      readonly files: readonly { path: string; owners: readonly string[] }[];
    }
  | { readonly code: "unresolved_threads"; readonly threads: number }
  | { readonly code: "protected_path"; readonly paths: readonly string[] }
  | { readonly code: "workflow_file"; readonly paths: readonly string[] }
  | { readonly code: "unsupported_change"; readonly findings: readonly string[] }
  | { readonly code: "no_changes" }
  /** A squash rewrites the branch, and a fork's is its author's. */
  | { readonly code: "squash_unsupported"; readonly commits: number }
  | { readonly code: "no_required_checks" }
  /** `by` says who runs the gate when it lands; null where nobody does, and only a check could prove it. */
  | { readonly code: "gate_unproven"; readonly check: string; readonly by: GateRunner | null }
  | {
      readonly code: "gate_failed";
      readonly command: string;
      /** Null when it did not end by itself. */
      readonly exit: number | null;
      /** The end of what it printed. */
      readonly output: string;
    }
  /** The base branch is red by itself, so that a red gate says nothing about the pull request. */
  | {
      readonly code: "base_red";
      readonly base: string;
      readonly command: string;
      readonly exit: number | null;
      readonly output: string;
    }
  | { readonly code: "check_red"; readonly checks: readonly NamedCheck[] }
  | { readonly code: "check_missing"; readonly checks: readonly NamedCheck[] }
  | { readonly code: "check_pending"; readonly checks: readonly NamedCheck[] }
  | { readonly code: "unsigned_commit"; readonly commits: readonly CommitSignature[] }
  | { readonly code: "commit_rule"; readonly commits: readonly string[]; readonly rule: string }
  | {
      readonly code: "base_moved";
      readonly base: string;
      readonly branch: string;
      /** What git calls the pull request's own branch. */
      readonly head: string;
      readonly fork: boolean;
      /** Where the base branch is fetched from. */
      readonly repository: string;
    }
  | { readonly code: "no_signing_key" }
  | { readonly code: "key_not_allowed" }
  | { readonly code: "base_busy"; readonly moves: number }
  /** GitHub does not show yet what koryph has pushed. */
  | { readonly code: "head_not_shown"; readonly head: string }
  /** From here on: what only trying shows. */
  /** A runner is at it: the landing keeps its place. */
  | { readonly code: "runner_asked"; readonly job: RunnerTask; readonly url: string | null }
  /** GitHub does not start the workflow. */
  | { readonly code: "runner_refused"; readonly workflow: string; readonly status: number }
  /** Its run ended without success; or was not heard of in time, twice. */
  | {
      readonly code: "runner_failed" | "runner_silent";
      readonly job: RunnerTask;
      readonly url: string | null;
    }
  /** What it handed in is not what was asked for. */
  | { readonly code: "runner_differs"; readonly why: string; readonly url: string | null }
  /** The project lets another App ask runners. */
  | { readonly code: "other_app"; readonly named: string; readonly own: string }
  | { readonly code: "rebase_conflict"; readonly files: readonly string[] }
  | { readonly code: "not_replayed"; readonly why: string }
  | { readonly code: "push_refused"; readonly why: string };

export type PullReasonCode = PullRefusal["code"];
export type PullReason<C extends PullReasonCode> = Extract<PullRefusal, { readonly code: C }>;

/** Who can put something right; `time` for what passes by itself. */
export type Mender =
  | "author"
  | "reviewers"
  | "maintainers"
  | "administrators"
  | "operator"
  | "owners-of-checks"
  | "owners-of-runners"
  /** koryph does it by itself, once somebody has asked for the landing. */
  | "koryph"
  | "time";

interface ReasonRule {
  readonly who: Mender;
  /** The landing keeps its place for so many minutes before it is refused; 0 refuses at once. */
  readonly waitMinutes: number;
}

const HOURS = 60;

/** What follows from each; their words are in replies. docs/landing.md lists them in this order, and each has its story. */
export const PULL_REASONS: { readonly [C in PullReasonCode]: ReasonRule } = {
  not_open: { who: "author", waitMinutes: 0 },
  draft: { who: "author", waitMinutes: 0 },
  base_changed: { who: "reviewers", waitMinutes: 0 },
  head_moved: { who: "reviewers", waitMinutes: 0 },
  sha_mismatch: { who: "reviewers", waitMinutes: 0 },
  too_large: { who: "author", waitMinutes: 0 },
  not_approved: { who: "reviewers", waitMinutes: 0 },
  changes_requested: { who: "reviewers", waitMinutes: 0 },
  ancestor_unapproved: { who: "reviewers", waitMinutes: 0 },
  rules_unreadable: { who: "administrators", waitMinutes: 0 },
  rule_unsupported: { who: "administrators", waitMinutes: 0 },
  missing_bypass: { who: "administrators", waitMinutes: 0 },
  needs_app_token: { who: "administrators", waitMinutes: 0 },
  code_owner_missing: { who: "reviewers", waitMinutes: 0 },
  unresolved_threads: { who: "reviewers", waitMinutes: 0 },
  protected_path: { who: "maintainers", waitMinutes: 0 },
  workflow_file: { who: "maintainers", waitMinutes: 0 },
  unsupported_change: { who: "author", waitMinutes: 0 },
  no_changes: { who: "author", waitMinutes: 0 },
  squash_unsupported: { who: "author", waitMinutes: 0 },
  no_required_checks: { who: "administrators", waitMinutes: 0 },
  gate_unproven: { who: "administrators", waitMinutes: 0 },
  gate_failed: { who: "author", waitMinutes: 0 },
  base_red: { who: "maintainers", waitMinutes: 0 },
  check_red: { who: "owners-of-checks", waitMinutes: 0 },
  // A check that nobody has begun within the hour has no runner, or a name that nothing reports.
  check_missing: { who: "owners-of-checks", waitMinutes: HOURS },
  check_pending: { who: "time", waitMinutes: 12 * HOURS },
  unsigned_commit: { who: "author", waitMinutes: 0 },
  commit_rule: { who: "author", waitMinutes: 0 },
  base_moved: { who: "author", waitMinutes: 0 },
  no_signing_key: { who: "operator", waitMinutes: 0 },
  key_not_allowed: { who: "maintainers", waitMinutes: 0 },
  base_busy: { who: "time", waitMinutes: 0 },
  head_not_shown: { who: "time", waitMinutes: HOURS },
  runner_asked: { who: "time", waitMinutes: 0 },
  runner_refused: { who: "administrators", waitMinutes: 0 },
  runner_failed: { who: "owners-of-runners", waitMinutes: 0 },
  runner_silent: { who: "owners-of-runners", waitMinutes: 0 },
  runner_differs: { who: "maintainers", waitMinutes: 0 },
  other_app: { who: "maintainers", waitMinutes: 0 },
  rebase_conflict: { who: "author", waitMinutes: 0 },
  not_replayed: { who: "author", waitMinutes: 0 },
  push_refused: { who: "administrators", waitMinutes: 0 },
};

/** Who can put this very one right: koryph rebases a branch of the repository, and runs a gate or has it run. */
export function menderOf(unmet: PullRefusal): Mender {
  if (unmet.code === "base_moved" && !unmet.fork) return "koryph";
  if (unmet.code === "gate_unproven" && unmet.by !== null) return "koryph";
  return PULL_REASONS[unmet.code].who;
}

/** The same for a refusal of which only the code is on record; null for one that only a newer version knows. */
export function menderOfCode(code: string): Mender | null {
  return Object.hasOwn(PULL_REASONS, code) ? PULL_REASONS[code as PullReasonCode].who : null;
}

/** Whether a landing that has waited for so long goes on waiting. */
export function isWaitedFor({ code }: PullRefusal, waitedMs: number): boolean {
  return waitedMs < PULL_REASONS[code].waitMinutes * 60_000;
}
