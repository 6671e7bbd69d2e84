import { Bubblewrap } from "../adapters/contain/bubblewrap.js";
import { ContainedProcesses, inOwnHome } from "../adapters/contain/contained-processes.js";
import type { ContainBootstrap } from "../adapters/git/clones/bootstrap.js";
import { DetachedProcesses } from "../adapters/process/detached-processes.js";
import type { ProjectConfig } from "../core/config/project-schema.js";
import { type ContainedMark, type ContainmentLevel, decideContainment } from "../core/contain/containment.js";
import { networkAccess } from "../core/contain/network-access.js";
import { containmentAdvice } from "../core/replies/config/containment.js";
import { type Advice, UserError } from "../lib/user-error.js";
import type { AgentProcesses } from "../ports/agent-processes.js";
import type { Containment, ContainmentProbe } from "../ports/contain/containment.js";

export interface OpenContainment {
  readonly processes: AgentProcesses;
  /** How agents that start now are on record. */
  readonly mark: ContainedMark;
  /** Shuts bootstrap commands in; null where nothing does. */
  readonly bootstrap: ContainBootstrap | null;
  /** What a person should know of it; null when all is as it is to be. */
  readonly warning: Advice | null;
}

/**
 * The processes of a project, shut in as its file asks for. `usual` is the level where that names none;
 * `hidden` folders are never shown inside. Throws where they must be shut in and cannot.
 */
export async function openContainment(
  { containment: settings }: Pick<ProjectConfig, "containment">,
  usual: ContainmentLevel,
  hidden: readonly string[],
): Promise<OpenContainment> {
  const processes = new DetachedProcesses();
  const bubblewrap = new Bubblewrap(process.env.PATH, hidden);
  const probe = await probeContainment(settings.level ?? usual, bubblewrap);
  const decision = decideContainment(settings, usual, probe.reached);
  const why = probe.reached === "none" ? probe.why : "";
  switch (decision.kind) {
    case "refuse":
      throw UserError.of(containmentAdvice.required(why));
    case "contained": {
      const contained = new ContainedProcesses(processes, bubblewrap, settings);
      const bootstrap: ContainBootstrap = (command, room) =>
        bubblewrap.contain(command, {
          ...{ ...room, shared: [], readable: [...room.readable, ...settings.readable.map(inOwnHome)] },
          network: networkAccess(settings.network.bootstrap, []),
        });
      return { processes: contained, bootstrap, mark: "namespaces", warning: null };
    }
    case "manual":
      return { processes, bootstrap: null, mark: "missing", warning: containmentAdvice.manual(why) };
    case "bare": {
      const warning = decision.why === "off" ? null : containmentAdvice.preferred(why);
      return { processes, bootstrap: null, mark: "none", warning };
    }
  }
}

/** Nothing is looked for where nothing is wanted. */
export async function probeContainment(
  level: ContainmentLevel,
  containment: Containment = new Bubblewrap(process.env.PATH),
): Promise<ContainmentProbe> {
  return level === "off" ? { reached: "none", why: "it is off" } : containment.probe();
}
