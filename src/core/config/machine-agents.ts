import type { z } from "zod";
import { block } from "./fields.js";
import { ProjectConfig } from "./project-schema.js";
import { readJson } from "./read-json.js";

/** `$KORYPH_HOME/agents.json`: the agents that this machine's server may start. A repository has no say in it. */
export const MachineAgents = block({
  default_runtime: ProjectConfig.shape.default_runtime.removeDefault().optional(),
  runtimes: ProjectConfig.shape.runtimes,
});
export type MachineAgents = z.infer<typeof MachineAgents>;

export type MachineAgentsReading =
  | { readonly kind: "agents"; readonly agents: MachineAgents }
  | { readonly kind: "wrong"; readonly problem: string };

/** Null for a file that is not there. */
export function readMachineAgents(text: string | null): MachineAgentsReading {
  const json = readJson(text ?? "{}");
  if (json.kind === "not-json") return { kind: "wrong", problem: json.problem };
  const parsed = MachineAgents.safeParse(json.data);
  if (parsed.success) return { kind: "agents", agents: parsed.data };
  const needs = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`);
  return { kind: "wrong", problem: needs.join("; ") };
}
