import type { ProjectConfig } from "../core/config/project-schema.js";
import type { LandRules } from "../core/land/judge-branch.js";

/** What a project asks of every branch; how it lands is up to whoever asks for the landing. */
export function landRules(
  config: Pick<ProjectConfig, "commit_style" | "protected_paths" | "signing">,
): Omit<LandRules, "method" | "allowProtected" | "allowSecrets"> {
  return {
    commitStyle: config.commit_style,
    protectedPaths: config.protected_paths,
    signingRequired: config.signing.required,
  };
}
