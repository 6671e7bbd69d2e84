import { type BaseRule, guardsBranch, ruleDemands } from "../land/pull/base-rules.js";
import type { SeenCheck } from "../land/pull/judge-checks.js";
import type { PullLandFacts } from "../land/pull/pull-land-facts.js";
import type { Diagnosis } from "./diagnosis.js";

export interface RuleFacts {
  readonly branch: string;
  readonly rules: PullLandFacts["rules"];
  /** Checks on the newest commit of the branch, of the names that the rules ask for. */
  readonly seen: readonly SeenCheck[];
  /** Whether koryph signs what it lands. */
  readonly signs: boolean;
  /** Names of the rulesets that the App stands above. */
  readonly passedByApp: ReadonlySet<string>;
}

/** What the rules of the default branch mean for landings, as the one who asked would land. */
export function examineRules({ branch, rules, seen, signs, passedByApp }: RuleFacts): readonly Diagnosis[] {
  if (rules.kind === "unreadable") return [{ code: "rules_unreadable", why: rules.why }];
  if (rules.rules.length === 0) return [{ code: "branch_open", branch }];
  const { closed, unsupported, signatures, checks } = ruleDemands(rules.rules);
  const broken: Diagnosis[] = [
    ...unsupported.map(({ type, why }) => ({ code: "rule_unsupported", rule: type, why }) as const),
    ...closed.map((ruleset) => ({ code: "no_bypass", ruleset, appLands: passedByApp.has(ruleset) }) as const),
    ...(signatures && !signs ? [{ code: "signatures_demanded" } as const] : []),
  ];
  return [
    ...(broken.length > 0 ? broken : [{ code: "rules_kept", branch, count: rules.rules.length } as const]),
    ...unsplit(rules.rules, passedByApp),
    ...examineChecks(checks, { seen, branch }),
  ];
}

function unsplit(rules: readonly BaseRule[], passedByApp: ReadonlySet<string>): readonly Diagnosis[] {
  const isPassed = (ruleset: NonNullable<BaseRule["ruleset"]>) =>
    ruleset.bypassed || passedByApp.has(ruleset.name);
  const names = new Set(
    rules.flatMap(({ ruleset }) => (ruleset !== null && isPassed(ruleset) ? [ruleset.name] : [])),
  );
  return [...names].flatMap((name) => {
    const guards = rules.filter(({ type, ruleset }) => ruleset?.name === name && guardsBranch(type));
    return guards.length === 0
      ? []
      : [{ code: "rules_not_split", ruleset: name, rules: guards.map(({ type }) => type) } as const];
  });
}

function examineChecks(
  required: ReturnType<typeof ruleDemands>["checks"],
  { seen, branch }: Pick<RuleFacts, "seen" | "branch">,
): readonly Diagnosis[] {
  if (required.length === 0) return [];
  const doubts: Diagnosis[] = required.flatMap(({ name: check, app }) => [
    ...(app === null ? [{ code: "check_by_anyone", check } as const] : []),
    ...(seen.some(({ name }) => name === check) ? [] : [{ code: "check_unseen", check, branch } as const]),
  ]);
  return doubts.length > 0 ? doubts : [{ code: "checks_seen", count: required.length }];
}
