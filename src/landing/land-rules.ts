import type { ProjectConfig } from "../core/config/project-schema.js";
import type { ContentLimits } from "../core/land/content/unusual-content.js";
import type { BranchRules } from "../core/land/judge-branch.js";

/** The settings that say what a branch must be like. */
export type RuledConfig = Pick<ProjectConfig, "commit_style" | "protected_paths" | "signing" | "land">;

/** What a project asks of every branch, a bead's and a pull request's; how it lands is up to whoever asks for the landing. */
export function landRules(config: RuledConfig): BranchRules & ContentLimits {
  return {
    commitStyle: config.commit_style,
    protectedPaths: config.protected_paths,
    signingRequired: config.signing.required,
    maxFileMb: config.land.max_file_mb,
    maxFiles: config.land.max_files,
  };
}
