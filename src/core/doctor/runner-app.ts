import type { RulesetFacts } from "./examine-bypass.js";

/** Why an App's key must not be on a runner. */
export type UnfitApp =
  | { readonly kind: "administers" }
  | { readonly kind: "bypasses"; readonly ruleset: string }
  | { readonly kind: "unknown"; readonly ruleset: string };

/** Rules of the repository and of its organisation, and the properties by which the latter choose repositories. */
const CHANGE_RULES = [
  "administration",
  "organization_administration",
  "repository_custom_properties",
  "organization_custom_properties",
] as const;

/**
 * What an App could do with its key beyond what anybody may do from a runner: agents run there, and a key lasts longer
 * than a token. Empty when the App is held by every ruleset of the base branch, and cannot change one.
 */
export function unfitForRunner(
  permissions: Readonly<Record<string, string>>,
  rulesets: readonly Pick<RulesetFacts, "name" | "asApp">[],
): readonly UnfitApp[] {
  const administers = CHANGE_RULES.some((name) => ["write", "admin"].includes(permissions[name] ?? ""));
  return [
    ...(administers ? [{ kind: "administers" } as const] : []),
    ...rulesets.flatMap(({ name: ruleset, asApp }): UnfitApp[] => {
      if (asApp === "never") return [];
      return [{ kind: asApp === null ? "unknown" : "bypasses", ruleset }];
    }),
  ];
}
