import { actionsToken } from "../actions-app.js";
import { isActionsApp } from "../actions-app-id.js";
import type { Repository } from "../state.js";
import type { World } from "../world.js";
import { BARE_PROTECTION, type Protection } from "./protection.js";
import { makeRuleset, type NewRuleset } from "./ruleset.js";

/** What a test, or the page, makes of a repository's rules. Repositories are named `owner/name`. */
export interface RuleBuilders {
  /** On the default branch unless it says otherwise. Returns its id. */
  addRuleset(repository: string, ruleset: NewRuleset): number;
  /** Protects a branch as was done before rulesets; what is not said is off. */
  protectBranch(repository: string, branch: string, protection?: Partial<Omit<Protection, "branch">>): void;
  /** A `GITHUB_TOKEN`: what workflow runs of the repository act with. No ruleset lets it past. */
  actionsToken(repository: string, permissions?: Readonly<Record<string, "read" | "write">>): string;
}

const USUAL = { contents: "write", pull_requests: "write", checks: "write", statuses: "write" } as const;

export function ruleBuilders(world: World, named: (name: string) => Repository): RuleBuilders {
  return {
    addRuleset: (repository, wanted) => {
      if (wanted.bypass?.some(({ type, id }) => type === "Integration" && isActionsApp(id)))
        throw new Error("Actor must be part of the ruleset source or owner organization");
      const ruleset = makeRuleset(world.newId(), world.timestamp(), wanted);
      named(repository).rulesets.push(ruleset);
      return ruleset.id;
    },
    protectBranch: (repository, branch, protection = {}) => {
      named(repository).protections.push({ ...BARE_PROTECTION, ...protection, branch });
      world.newId();
    },
    actionsToken: (repository, permissions = USUAL) => actionsToken(world, named(repository), permissions),
  };
}
