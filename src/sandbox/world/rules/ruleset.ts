import type { JsonObject } from "../../http/json.js";
import type { Repository } from "../state.js";

export interface Rule {
  /** GitHub's name: `non_fast_forward`, `deletion`, `pull_request`, `required_status_checks`, … */
  readonly type: string;
  readonly parameters: JsonObject;
}

/** Whom a ruleset lets past: an app by its id, a user by theirs, a role by GitHub's number of it. */
export interface BypassActor {
  readonly type: "Integration" | "RepositoryRole" | "OrganizationAdmin" | "User";
  readonly id: number;
  /** `pull_request`: only by the merge button, never by a push. `exempt`: without a word about it. */
  readonly mode: "always" | "pull_request" | "exempt";
}

export interface Ruleset {
  readonly id: number;
  readonly name: string;
  /** `evaluate` only watches: nothing is refused, and the branch does not list its rules. */
  enforcement: "active" | "evaluate" | "disabled";
  /** Branches, with stars, or `~DEFAULT_BRANCH`, or `~ALL`. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly rules: readonly Rule[];
  bypass: BypassActor[];
  readonly createdAt: string;
}

export interface NewRuleset {
  readonly name?: string;
  readonly enforcement?: Ruleset["enforcement"];
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Parameters that GitHub demands and that are not given are the mildest ones. */
  readonly rules: readonly (Pick<Rule, "type"> & { readonly parameters?: JsonObject })[];
  readonly bypass?: readonly BypassActor[];
}

/** What a rule of this type is when nothing was ticked. A type that is not here is not one of GitHub's for branches. */
const MILDEST: Readonly<Record<string, JsonObject>> = {
  creation: {},
  update: { update_allows_fetch_and_merge: false },
  deletion: {},
  non_fast_forward: {},
  required_linear_history: {},
  required_signatures: {},
  required_deployments: { required_deployment_environments: [] },
  pull_request: {
    required_approving_review_count: 0,
    dismiss_stale_reviews_on_push: false,
    require_code_owner_review: false,
    require_last_push_approval: false,
    required_review_thread_resolution: false,
    allowed_merge_methods: ["merge", "squash", "rebase"],
  },
  required_status_checks: { required_status_checks: [], strict_required_status_checks_policy: false },
  merge_queue: {
    check_response_timeout_minutes: 60,
    grouping_strategy: "ALLGREEN",
    max_entries_to_build: 5,
    max_entries_to_merge: 5,
    merge_method: "MERGE",
    min_entries_to_merge: 1,
    min_entries_to_merge_wait_minutes: 5,
  },
  commit_message_pattern: { operator: "regex", pattern: "" },
  commit_author_email_pattern: { operator: "regex", pattern: "" },
  committer_email_pattern: { operator: "regex", pattern: "" },
  branch_name_pattern: { operator: "regex", pattern: "" },
  file_path_restriction: { restricted_file_paths: [] },
  file_extension_restriction: { restricted_file_extensions: [] },
  max_file_path_length: { max_file_path_length: 255 },
  max_file_size: { max_file_size: 100 },
  workflows: { workflows: [] },
  code_scanning: { code_scanning_tools: [] },
  copilot_code_review: {},
};

/** The ruleset that is asked for, whole. */
export function makeRuleset(id: number, createdAt: string, wanted: NewRuleset): Ruleset {
  const rules = wanted.rules.map(({ type, parameters }): Rule => {
    const mildest = MILDEST[type];
    if (mildest === undefined) throw new Error(`${type} is not a rule for branches that the sandbox knows`);
    return { type, parameters: { ...mildest, ...parameters } };
  });
  return {
    ...{ id, createdAt, rules },
    name: wanted.name ?? rules.map(({ type }) => type).join(", "),
    enforcement: wanted.enforcement ?? "active",
    include: wanted.include ?? ["~DEFAULT_BRANCH"],
    exclude: wanted.exclude ?? [],
    bypass: [...(wanted.bypass ?? [])],
  };
}

/** The rulesets that are in force on a branch. */
export function rulesetsOn({ rulesets, defaultBranch }: Repository, branch: string): Ruleset[] {
  const fits = (pattern: string) => {
    if (pattern === "~ALL") return true;
    if (pattern === "~DEFAULT_BRANCH") return branch === defaultBranch;
    return matchesGlob(branch, pattern);
  };
  return rulesets.filter(
    ({ enforcement, include, exclude }) =>
      enforcement === "active" && include.some(fits) && !exclude.some(fits),
  );
}

/** One star stays within a folder, two do not. */
export function matchesGlob(text: string, pattern: string): boolean {
  const literal = (part: string) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const source = pattern.split("**").map((part) => part.split("*").map(literal).join("[^/]*"));
  return new RegExp(`^${source.join(".*")}$`).test(text);
}
