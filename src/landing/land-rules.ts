import type { ProjectConfig } from "../core/config/project-schema.js";
import type { LandRules } from "../core/land/judge-branch.js";

/** The settings that say what a branch must be like. */
export type RuledConfig = Pick<ProjectConfig, "commit_style" | "protected_paths" | "signing">;

/** What a project asks of every branch; how it lands is up to whoever asks for the landing. */
export function landRules(
  config: RuledConfig,
): Omit<LandRules, "method" | "allowProtected" | "allowSecrets"> {
  return {
    commitStyle: config.commit_style,
    protectedPaths: config.protected_paths,
    signingRequired: config.signing.required,
  };
}
