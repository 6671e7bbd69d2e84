import type { GithubSetup } from "./github-files.js";

interface Ruleset {
  readonly name: string;
  readonly target: "branch";
  readonly enforcement: "active";
  readonly conditions: object;
  readonly rules: readonly {
    readonly type: string;
    readonly parameters?: Readonly<Record<string, number | boolean>>;
  }[];
  readonly bypass_actors: readonly object[];
}

const DEFAULT_BRANCH = { ref_name: { include: ["~DEFAULT_BRANCH"], exclude: [] } };

const PULL_REQUESTS = {
  required_approving_review_count: 1,
  dismiss_stale_reviews_on_push: false,
  require_code_owner_review: false,
  require_last_push_approval: false,
  required_review_thread_resolution: true,
};

/**
 * Two of them, in the form that GitHub imports. Nobody stands above the first, so that a stolen token of the App can
 * neither rewrite history nor land unsigned commits; koryph stands above the second, and keeps it itself.
 */
export function rulesets({ signed, app }: Pick<GithubSetup, "signed" | "app">): readonly Ruleset[] {
  const common = { target: "branch", enforcement: "active", conditions: DEFAULT_BRANCH } as const;
  const invariants = ["deletion", "non_fast_forward", "required_linear_history"];
  return [
    {
      name: "koryph-invariants",
      ...common,
      rules: [...invariants, ...(signed ? ["required_signatures"] : [])].map((type) => ({ type })),
      bypass_actors: [],
    },
    {
      name: "koryph-process",
      ...common,
      rules: [{ type: "pull_request", parameters: PULL_REQUESTS }],
      bypass_actors: app === null ? [] : [appBypass(app)],
    },
  ];
}

/** The App as a ruleset lists it. */
export function appBypass(app: number): object {
  return { actor_id: app, actor_type: "Integration", bypass_mode: "always" };
}
