import { admit } from "../../../src/core/govern/admit.js";
import { type AgentLease, leaseId } from "../../../src/core/govern/agent-lease.js";
import { attach } from "../../../src/core/govern/attach.js";
import { advancePool } from "../../../src/core/govern/effective-cap.js";
import { type GovernorState, NEW_GOVERNOR, poolOf } from "../../../src/core/govern/governor-state.js";
import { release, withdrawDemand } from "../../../src/core/govern/release.js";
import { endAgent } from "../../../src/core/govern/report-rate-limit.js";
import type { ProcessIdentity } from "../../../src/core/model/process-identity.js";
import type { AdmissionAnswer, AgentWish, EndedAgent, Governor } from "../../../src/ports/govern/governor.js";
import type { Chance } from "../chance.js";
import type { Life } from "../sim-life.js";
import type { SimProcesses } from "../sim-processes.js";

/** What one machine's engines share: the rules are real, the file and its lock are not. */
export class SimGovernor {
  state: GovernorState = NEW_GOVERNOR;
  readonly #processes: SimProcesses;
  readonly #lives = new Map<string, Life>();
  /** Agents of another project on this machine: when each ends, by bead. */
  readonly #neighbours = new Map<string, number>();

  constructor(processes: SimProcesses) {
    this.#processes = processes;
  }

  port(life: Life, now: () => number, chance: Chance): Governor {
    const self = { pid: 1, start: life.name, boot: "engine" };
    this.#lives.set(life.name, life);
    const write = (state: GovernorState) => {
      if (!life.dead) this.state = state;
    };
    const isOwn = ({ process }: AgentLease) => process.boot === self.boot && process.start === self.start;
    const end = (ended: readonly EndedAgent[]) => {
      for (const { agent, how } of ended) write(endAgent(this.state, agent, how, now()));
    };
    return {
      self,
      admit: async (wish, ended = []) => {
        end(ended);
        return this.#admit(wish, self, now(), chance);
      },
      attach: async (agent) => write(attach(this.state, agent, now())),
      end: async (ended) => end(ended),
      held: async (project) => this.state.leases.filter((lease) => lease.project === project),
      leave: async (project) => {
        const own = this.state.leases.filter((lease) => lease.project === project && isOwn(lease));
        const left = own.reduce((state, lease) => release(state, lease, "failed", now()), this.state);
        write(withdrawDemand(left, project));
      },
    };
  }

  /** Another project's engine on this machine: its agents come and go, and some meet the limit. */
  neighbour(now: number, chance: Chance): void {
    const self = { pid: 2, start: "neighbour", boot: "neighbour" };
    for (const [bead, until] of this.#neighbours) {
      if (until > now) continue;
      const how = chance.percent(10) ? "limited" : chance.percent(70) ? "clean" : "failed";
      this.#neighbours.delete(bead);
      this.state = endAgent(this.state, { project: "next-door", bead, attempt: 1, pool: "" }, how, now);
    }
    if (!chance.percent(30)) return;
    const bead = `n-${now}`;
    const free = { folder: "", resources: chance.percent(30) ? ["gpu"] : [], capacities: {} };
    const wish = { project: "next-door", bead, attempt: 1, pool: "", ...free };
    this.#neighbours.set(bead, now + (5 + chance.below(90)) * 1000);
    if (this.#admit(wish, self, now, chance).kind === "denied") this.#neighbours.delete(bead);
  }

  /** The neighbour goes home. */
  clear(now: number): void {
    const theirs = this.state.leases.filter(({ project }) => project === "next-door");
    for (const lease of theirs) this.state = release(this.state, lease, "failed", now);
    this.state = withdrawDemand(this.state, "next-door");
    this.#neighbours.clear();
  }

  /** How many agents are at work on the machine, whoever started them. */
  get atWork(): number {
    return this.#processes.live().length + this.#neighbours.size;
  }

  /** Throws when an agent is at work without a lease, or more are than the machine bears. */
  check(): void {
    for (const { bead, marker } of this.#processes.live()) {
      const attempt = Number(marker.split("/")[2]);
      if (!this.state.leases.some((lease) => lease.bead === bead && lease.attempt === attempt))
        throw new Error(`the agent of ${bead} is at work without a lease`);
    }
    if (this.atWork > this.state.ceiling)
      throw new Error(`${this.atWork} agents are at work, and the machine bears ${this.state.ceiling}`);
  }

  #admit(wish: AgentWish, process: ProcessIdentity, now: number, chance: Chance): AdmissionAnswer {
    const dead = new Set(this.state.leases.filter((lease) => this.#isDead(lease)).map(leaseId));
    const { breaker } = advancePool(poolOf(this.state, wish.pool, now), now);
    const had = this.state.leases.some(({ project, bead }) => project === wish.project && bead === wish.bead);
    const memory = { availableMb: chance.percent(95) ? 64_000 : 1_000, totalMb: 64_000 };
    const jitter = chance.below(1000) / 1000;
    const admission = admit(this.state, { ...wish, process, dead, jitter, ...memory }, now);
    this.state = admission.state;
    if (admission.kind === "denied") return { kind: "denied", why: admission.why };
    const probe = breaker.state === "half-open" ? breaker.probe : null;
    const hasGone = [...dead].some((id) => id.startsWith(`${probe?.project}/${probe?.bead}/`));
    if (probe !== null && !had && !hasGone) throw new Error(`${wish.bead} was let in beside a probe`);
    return { kind: "granted" };
  }

  #isDead({ process, folder }: AgentLease): boolean {
    if (process.boot === "neighbour") return false;
    if (process.boot === "engine" && this.#lives.get(process.start)?.dead === false) return false;
    return !this.#processes
      .live()
      .some(
        (each) => each.folder === folder || (each.identity.pid === process.pid && process.boot !== "engine"),
      );
  }
}
