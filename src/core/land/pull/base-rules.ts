/** A rule of the base branch as GitHub lists it. */
export interface BaseRule {
  readonly type: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Null for one of the older branch protection. */
  readonly ruleset: {
    readonly name: string;
    /** Whether whoever pushes stands above its rules, whatever it is that they push. */
    readonly bypassed: boolean;
  } | null;
}

/** A check that the rules ask for. */
export interface RequiredCheck {
  readonly name: string;
  /** The app that has to report it; null when anybody may. */
  readonly app: number | null;
}

/** A pattern that a part of every commit has to match. */
export interface TextRule {
  readonly type: "commit_message_pattern" | "commit_author_email_pattern" | "committer_email_pattern";
  readonly operator: "starts_with" | "ends_with" | "contains";
  readonly pattern: string;
  readonly negate: boolean;
}

/** Everything that the rules of a branch ask of a landing, in the form in which it is checked. */
export interface RuleDemands {
  readonly approvals: number;
  readonly codeOwners: boolean;
  readonly resolvedThreads: boolean;
  readonly linear: boolean;
  readonly signatures: boolean;
  readonly checks: readonly RequiredCheck[];
  readonly texts: readonly TextRule[];
  /** Merge methods that a rule allows; null when none says. */
  readonly methods: readonly string[] | null;
  /** Those that nobody but the team's own GitHub enforces, and why we cannot. */
  readonly unsupported: readonly { readonly type: string; readonly why: string }[];
  /** Rulesets that a push to the branch breaks, because they want everything through the button. */
  readonly closed: readonly string[];
}

const NO_DEMANDS: RuleDemands = {
  approvals: 0,
  codeOwners: false,
  resolvedThreads: false,
  linear: false,
  signatures: false,
  checks: [],
  texts: [],
  methods: null,
  unsupported: [],
  closed: [],
};

/** A fast-forward of a branch that is there breaks none of these, and the last two decide nothing. */
const ALWAYS_KEPT: ReadonlySet<string> = new Set([
  "creation",
  "deletion",
  "non_fast_forward",
  "branch_name_pattern",
  "tag_name_pattern",
  "copilot_code_review",
]);

/** Rules that a push breaks, whatever is pushed: whoever lands has to stand above them. */
const CLOSING: ReadonlySet<string> = new Set(["pull_request", "update"]);

export function closesBranch(type: string): boolean {
  return CLOSING.has(type);
}

/** Rules that nobody should stand above, koryph least of all: whoever does is not held to them by GitHub. */
const GUARDS: ReadonlySet<string> = new Set([
  ...["required_signatures", "non_fast_forward", "deletion", "required_linear_history"],
]);

export function guardsBranch(type: string): boolean {
  return GUARDS.has(type);
}

const TEXT_RULES: readonly string[] = [
  "commit_message_pattern",
  "commit_author_email_pattern",
  "committer_email_pattern",
];

/** What all rules together ask for. One that is not known here is unsupported: with a bypass, nobody else enforces it. */
export function ruleDemands(rules: readonly BaseRule[]): RuleDemands {
  return rules.reduce(withRule, NO_DEMANDS);
}

function withRule(sum: RuleDemands, rule: BaseRule): RuleDemands {
  const { type, parameters } = rule;
  if (ALWAYS_KEPT.has(type)) return sum;
  if (TEXT_RULES.includes(type)) return withText(sum, rule);
  switch (type) {
    case "update":
      return closedBy(sum, rule);
    case "required_linear_history":
      return { ...sum, linear: true };
    case "required_signatures":
      return { ...sum, signatures: true };
    case "required_status_checks": {
      const checks = readChecks(parameters.required_status_checks);
      if (checks === null) return unsupported(sum, type, "its checks cannot be read");
      return { ...sum, checks: [...sum.checks, ...checks] };
    }
    case "pull_request":
      return withPullRule(closedBy(sum, rule), parameters);
    default:
      return unsupported(sum, type, "koryph does not know how to keep it");
  }
}

function withPullRule(sum: RuleDemands, parameters: BaseRule["parameters"]): RuleDemands {
  const count = parameters.required_approving_review_count ?? 0;
  if (typeof count !== "number")
    return unsupported(sum, "pull_request", "its number of approvals cannot be read");
  const reviewers = parameters.required_reviewers;
  if (Array.isArray(reviewers) ? reviewers.length > 0 : reviewers !== undefined && reviewers !== null)
    return unsupported(sum, "pull_request", "it names teams whose members have to review");
  // Approvals are bound to the head, and never count for whoever pushed it: there has to be one, that is all.
  const least = parameters.require_last_push_approval === true ? 1 : 0;
  const methods = parameters.allowed_merge_methods;
  return {
    ...sum,
    approvals: Math.max(sum.approvals, count, least),
    codeOwners: sum.codeOwners || parameters.require_code_owner_review === true,
    resolvedThreads: sum.resolvedThreads || parameters.required_review_thread_resolution === true,
    methods: Array.isArray(methods) ? narrowed(sum.methods, methods.map(String)) : sum.methods,
  };
}

/** What both lists allow. */
function narrowed(before: readonly string[] | null, methods: readonly string[]): readonly string[] {
  return before === null ? methods : before.filter((method) => methods.includes(method));
}

/** Whoever pushes has to stand above it. */
function closedBy(sum: RuleDemands, { ruleset, type }: BaseRule): RuleDemands {
  if (ruleset?.bypassed === true) return sum;
  const name = ruleset?.name ?? `branch protection (${type})`;
  return sum.closed.includes(name) ? sum : { ...sum, closed: [...sum.closed, name] };
}

function withText(sum: RuleDemands, { type, parameters }: BaseRule): RuleDemands {
  const { operator, pattern, negate } = parameters;
  if (operator !== "starts_with" && operator !== "ends_with" && operator !== "contains")
    return unsupported(sum, type, "its pattern is a regular expression of GitHub's own kind");
  if (typeof pattern !== "string") return unsupported(sum, type, "its pattern cannot be read");
  const text: TextRule = { type: type as TextRule["type"], operator, pattern, negate: negate === true };
  return { ...sum, texts: [...sum.texts, text] };
}

function readChecks(found: unknown): RequiredCheck[] | null {
  if (!Array.isArray(found)) return null;
  const checks: RequiredCheck[] = [];
  for (const each of found as readonly { readonly context?: unknown; readonly integration_id?: unknown }[]) {
    const { context, integration_id: app = null } = each ?? {};
    if (typeof context !== "string" || (app !== null && typeof app !== "number")) return null;
    // An older protection writes -1 for any app.
    checks.push({ name: context, app: app === null || app < 0 ? null : app });
  }
  return checks;
}

function unsupported(sum: RuleDemands, type: string, why: string): RuleDemands {
  return { ...sum, unsupported: [...sum.unsupported, { type, why }] };
}

/** Whether a text keeps the rule. */
export function keepsTextRule({ operator, pattern, negate }: TextRule, text: string): boolean {
  const found = {
    starts_with: () => text.startsWith(pattern),
    ends_with: () => text.endsWith(pattern),
    contains: () => text.includes(pattern),
  }[operator]();
  return found !== negate;
}
