import { homedir } from "node:os";
import { join } from "node:path";
import type { ContainmentSettings } from "../../core/contain/containment.js";
import { type NetworkAccess, networkAccess } from "../../core/contain/network-access.js";
import type { AgentProcesses, ProcessRoom, ProcessSpec } from "../../ports/agent-processes.js";
import type { Containment } from "../../ports/contain/containment.js";

/** The same processes, each shut in with what it works with. What has no room of its own is started as it is. */
export class ContainedProcesses implements AgentProcesses {
  readonly #inner: AgentProcesses;
  readonly #containment: Containment;
  readonly #settings: Pick<ContainmentSettings, "network" | "readable">;

  constructor(
    inner: AgentProcesses,
    containment: Containment,
    settings: Pick<ContainmentSettings, "network" | "readable">,
  ) {
    this.#inner = inner;
    this.#containment = containment;
    this.#settings = settings;
  }

  async start(spec: ProcessSpec) {
    const { room } = spec;
    if (room === undefined) return this.#inner.start(spec);
    // What runs already, or has ended, is only found again: nothing is to be put together for it.
    if ((await this.#inner.status(spec.folder)).kind !== "none") return this.#inner.start(spec);
    const { writable, readable, shared = [] } = room;
    const contained = await this.#containment.contain(spec, {
      ...{ writable, shared, folder: spec.folder, network: this.#network(room) },
      readable: [...readable, ...this.#settings.readable.map(inOwnHome)],
    });
    return this.#inner.start({ ...spec, ...contained });
  }

  status(folder: string) {
    return this.#inner.status(folder);
  }

  signal(...given: Parameters<AgentProcesses["signal"]>) {
    return this.#inner.signal(...given);
  }

  sweep(...given: Parameters<AgentProcesses["sweep"]>) {
    return this.#inner.sweep(...given);
  }

  watch(...given: Parameters<AgentProcesses["watch"]>) {
    return this.#inner.watch(...given);
  }

  activity(...given: Parameters<AgentProcesses["activity"]>) {
    return this.#inner.activity(...given);
  }

  #network({ purpose, hosts }: ProcessRoom): NetworkAccess {
    return networkAccess(this.#settings.network[purpose], hosts);
  }
}

export function inOwnHome(path: string): string {
  return path.startsWith("~/") ? join(homedir(), path.slice(2)) : path;
}
