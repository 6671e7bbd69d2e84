import type { ProjectConfig } from "../../config/project-schema.js";
import { capacitiesOf } from "./plan-dispatch.js";

/** What an agent that holds these resources takes of the machine, as its project says. */
export interface AgentNeeds {
  readonly resources: readonly string[];
  /** Places of the project's resources, by kind. */
  readonly capacities: Readonly<Record<string, number>>;
  /** In MiB; absent for an agent of the usual size. */
  readonly memoryMb?: number;
}

export function agentNeeds(
  { resources: known }: Pick<ProjectConfig, "resources">,
  resources: readonly string[],
): AgentNeeds {
  const sizes = resources.flatMap((kind) => (Object.hasOwn(known, kind) ? (known[kind]?.mem_mb ?? []) : []));
  const memoryMb = sizes.reduce((sum, size) => sum + size, 0);
  return { resources, capacities: capacitiesOf(known), ...(sizes.length > 0 && { memoryMb }) };
}
