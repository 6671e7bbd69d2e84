import type { RulesetFacts } from "./examine-bypass.js";

/** Why an App's key must not be on a runner. */
export type UnfitApp =
  | { readonly kind: "administers" }
  | { readonly kind: "bypasses"; readonly ruleset: string }
  | { readonly kind: "unknown"; readonly ruleset: string };

/**
 * What an App could do with its key beyond what anybody may do from a runner: agents run there, and a key lasts longer
 * than a token. Empty when the App is held by every ruleset of the base branch, and cannot change one.
 */
export function unfitForRunner(
  permissions: Readonly<Record<string, string>>,
  rulesets: readonly Pick<RulesetFacts, "name" | "asApp">[],
): readonly UnfitApp[] {
  const administers = permissions.administration === "write" || permissions.administration === "admin";
  return [
    ...(administers ? [{ kind: "administers" } as const] : []),
    ...rulesets.flatMap(({ name: ruleset, asApp }): UnfitApp[] => {
      if (asApp === "never") return [];
      return [{ kind: asApp === null ? "unknown" : "bypasses", ruleset }];
    }),
  ];
}
