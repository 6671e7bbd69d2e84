import type { ProjectConfig } from "../../../src/core/config/project-schema.js";
import { readProject } from "../../../src/core/config/read-project.js";
import type { BaseRule } from "../../../src/core/land/pull/base-rules.js";

/** What the simulated team has written into its project file. */
export function pullConfig(told: {
  readonly signing: boolean;
  readonly approvals: "rules" | number;
  readonly gate: string;
  readonly requesterCounts: boolean;
}): ProjectConfig {
  const { signing, approvals, gate, requesterCounts: requester_counts } = told;
  const project = readProject(
    JSON.stringify({
      ...{ schema_version: 1, project_id: "sim", work_source: "file", gate: ["true"] },
      ...{ signing: { required: signing }, land: { approvals, gate, requester_counts } },
    }),
  );
  if (project.kind !== "ok") throw new Error("the simulated project is wrong");
  return project.config;
}

/** What its rules ask of the default branch; koryph stands above them, and so has to keep them. */
export function baseRules(
  approvals: number,
  required: readonly { readonly name: string; readonly app: number | null }[],
): BaseRule[] {
  const ruleset = { name: "process", bypassed: true };
  const checks = required.map(({ name, app }) => ({ context: name, integration_id: app }));
  return [
    { type: "pull_request", parameters: { required_approving_review_count: approvals }, ruleset },
    { type: "required_status_checks", parameters: { required_status_checks: checks }, ruleset },
  ];
}
