import type { AgentCommand } from "./agent-command.js";
import type { LaunchSpec } from "./launch-spec.js";

interface AgentRoom {
  readonly purpose: "agents";
  readonly writable: readonly string[];
  readonly shared: readonly string[];
  readonly readable: readonly string[];
  readonly hosts: readonly string[];
}

/** What an agent works with: a reviewer only reads the work. `objects` hold what its clone borrows from. */
export function agentRoom(
  { role, cwd, agentFolder, home }: LaunchSpec,
  { hosts = [], readable = [], shared = [] }: AgentCommand,
  objects: string,
): AgentRoom {
  const own = [agentFolder, home];
  return {
    ...{ purpose: "agents", hosts, shared },
    writable: role === "worker" ? [cwd, ...own] : own,
    readable: [...(role === "worker" ? [] : [cwd]), objects, ...readable],
  };
}
