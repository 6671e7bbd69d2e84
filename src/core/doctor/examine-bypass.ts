import { closesBranch, guardsBranch } from "../land/pull/base-rules.js";
import type { FleetDiagnosis, PassedActor } from "./fleet-diagnosis.js";

/** A ruleset of the base branch, and whom it lets past. */
export interface RulesetFacts {
  readonly name: string;
  /** Types of its rules that hold on the branch. */
  readonly rules: readonly string[];
  /** Null where GitHub does not show them to whoever asks. */
  readonly actors: readonly Omit<PassedActor, "slug">[] | null;
  /** What GitHub answers the App itself about it; null where the App could not ask. */
  readonly asApp: string | null;
}

export interface BypassFacts {
  readonly rulesets: readonly RulesetFacts[];
  /** The App that lands; null where the project has none. Its id is null where it could not be seen. */
  readonly app: { readonly slug: string; readonly id: number | null } | null;
}

const ALWAYS: ReadonlySet<string> = new Set(["always", "exempt"]);
const PULLS_ONLY: ReadonlySet<string> = new Set(["pull_request", "pull_requests_only"]);

/** For whom each bypass of the base's rulesets is, and whether the App is among them. */
export function examineBypass({ rulesets, app }: BypassFacts): readonly FleetDiagnosis[] {
  return rulesets.flatMap((facts) => [
    ...(app !== null && facts.rules.some(closesBranch) ? [judgeApp(facts, app)] : []),
    ...listActors(facts, app),
  ]);
}

/** Names of the rulesets that do not hold the App. */
export function bypassedByApp({ rulesets, app }: BypassFacts): ReadonlySet<string> {
  const names = rulesets.filter((facts) => app !== null && ALWAYS.has(modeOfApp(facts, app) ?? ""));
  return new Set(names.map(({ name }) => name));
}

/** Null where it cannot be known. */
function modeOfApp({ actors, asApp }: RulesetFacts, { id }: { readonly id: number | null }): string | null {
  if (asApp !== null) return asApp;
  if (actors === null) return null;
  const apps = actors.filter(({ type }) => type === "Integration");
  // Some App is on the list, and which one koryph's is was not to be found out.
  if (id === null && apps.length > 0) return null;
  return apps.find((actor) => actor.id === id)?.mode ?? "never";
}

function judgeApp(facts: RulesetFacts, app: NonNullable<BypassFacts["app"]>): FleetDiagnosis {
  const { slug } = app;
  const mode = modeOfApp(facts, app);
  const about = { ruleset: facts.name, slug };
  if (mode === null) return { code: "app_bypass_unknown", ...about };
  if (ALWAYS.has(mode)) return { code: "app_bypasses", ...about };
  return { code: PULLS_ONLY.has(mode) ? "app_bypasses_pulls_only" : "app_no_bypass", ...about };
}

function listActors(
  { name: ruleset, rules, actors }: RulesetFacts,
  app: BypassFacts["app"],
): readonly FleetDiagnosis[] {
  if (actors === null || actors.length === 0) return [];
  const isApp = ({ type, id }: Omit<PassedActor, "slug">) =>
    type === "Integration" && id !== null && id === app?.id;
  const who = actors.map((actor) => ({ ...actor, slug: isApp(actor) ? (app?.slug ?? null) : null }));
  const guards = rules.some(guardsBranch) && !rules.some(closesBranch);
  return [{ code: guards ? "guards_bypassed" : "bypass_listed", ruleset, who }];
}
