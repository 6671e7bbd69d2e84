import type { ProjectConfig } from "../../src/core/config/project-schema.js";
import { readProject } from "../../src/core/config/read-project.js";
import type { Bead, BeadId } from "../../src/core/model/bead.js";
import { judgeClaim } from "../../src/core/model/claim.js";
import type { LedgerEvent } from "../../src/core/run/ledger-event.js";
import { emptyState, fold, type LedgerState } from "../../src/core/run/ledger-state.js";
import { conflicts } from "../../src/core/schedule/conflict.js";
import { footprintOf } from "../../src/core/schedule/footprint.js";
import { descendantsOf, frontierOf } from "../../src/core/schedule/work-graph.js";
import { Engine } from "../../src/engine/engine.js";
import type { EngineParts } from "../../src/engine/engine-parts.js";
import type { WorkSource } from "../../src/ports/work-source.js";
import { Chance } from "./chance.js";
import { SimLedger, SimRemote } from "./sim-ledger.js";
import { type Behaviour, SimMachine } from "./sim-machine.js";

/** Thrown by a port in the middle of an engine's work: the process is gone, its disk and its agents are not. */
export class Crash extends Error {}

export interface SimOptions {
  readonly seed: number;
  readonly machines: number;
  readonly beads: number;
  readonly crashPercent: number;
}

const LEASE_SECONDS = 60;
const BUDGET_USD = 200;

interface SimBead {
  readonly bead: Bead;
  status: string;
  assignee: string;
}

/** A whole world around real engines: their decisions and effects are real, everything they touch is not. */
export class SimWorld {
  readonly chance: Chance;
  readonly remote = new SimRemote();
  readonly machines: SimMachine[];
  readonly config: ProjectConfig;
  readonly trace: string[] = [];
  readonly beads: SimBead[];
  clock = 1_000_000_000;
  steps = 0;
  /** Why the last run ended. */
  lastEnd = "";
  /** A port failed since the flag was last cleared. */
  crashed = false;
  #engines = 0;
  #crashPercent: number;
  readonly #finished = new Map<string, number>();
  readonly #retries = new Map<string, number>();

  constructor(options: SimOptions) {
    this.chance = new Chance(options.seed);
    this.#crashPercent = options.crashPercent;
    this.machines = Array.from({ length: options.machines }, () => new SimMachine());
    const project = readProject(
      JSON.stringify({
        schema_version: 1,
        project_id: "sim",
        work_source: "file",
        gate: ["true"],
        max_concurrent_slots: 1 + this.chance.below(4),
        dispatch_stagger_seconds: this.chance.pick([0, 0, 5]),
        resources: { gpu: { capacity: 1 } },
      }),
    );
    if (project.kind !== "ok") throw new Error("the simulated project is wrong");
    this.config = project.config;
    this.beads = Array.from({ length: options.beads }, (_, index) => this.#makeBead(index));
  }

  #makeBead(index: number): SimBead {
    const labels = [`fp:t${this.chance.below(4)}`];
    if (this.chance.percent(40)) labels.push(`fp:read:t${this.chance.below(4)}`);
    if (this.chance.percent(20)) labels.push("res:gpu");
    const blockers = index > 0 && this.chance.percent(20) ? [`b-${this.chance.below(index)}` as BeadId] : [];
    const bead: Bead = {
      id: `b-${index}` as BeadId,
      title: `bead ${index}`,
      description: "",
      acceptance: "",
      status: "open",
      priority: this.chance.below(3),
      type: "task",
      labels,
      assignee: "",
      parent: null,
      blockers,
    };
    return { bead, status: "open", assignee: "" };
  }

  /** What the agent of an attempt does. Later attempts get kinder, so that the world can come to rest. */
  #behaviour = (_bead: string, attempt: number): Behaviour => {
    const seconds = 5 + this.chance.below(200);
    if (attempt > 3 || this.chance.percent(55))
      return { seconds, commits: 1 + this.chance.below(3), dirty: false, outcome: "completed" };
    return this.chance.pick<Behaviour>([
      { seconds, commits: 0, dirty: false, outcome: "completed" },
      { seconds, commits: 1, dirty: true, outcome: "completed" },
      { seconds, commits: 1, dirty: false, outcome: "incomplete" },
      { seconds, commits: 0, dirty: false, outcome: "failed" },
      { seconds, commits: 0, dirty: false, outcome: "limited" },
      { seconds, commits: 2, dirty: false, outcome: "killed" },
    ]);
  };

  now = (): number => this.clock;

  log(line: string): void {
    this.trace.push(`${this.clock / 1000}s ${line}`);
  }

  /** A ledger for somebody who is no engine, such as the command line on machine 0. */
  operator(): SimLedger {
    const machine = this.machines[0] as SimMachine;
    return this.#ledgerOf(machine);
  }

  #ledgerOf(machine: SimMachine): SimLedger {
    return new SimLedger(this.remote, machine.ledgerDisk, {
      chance: this.chance,
      now: this.now,
      onAppend: (event) => this.#appended(event),
    });
  }

  engine(machine: SimMachine, mode: { resume: boolean; mode: "rolling" | "wave" }): Engine {
    this.#engines += 1;
    const holder = `engine-${this.#engines}`;
    const number = this.machines.indexOf(machine);
    const parts: EngineParts = {
      ledger: this.#fragile("ledger", this.#ledgerOf(machine)),
      source: this.#fragile("source", this.#source()),
      worktrees: this.#fragile("worktrees", machine.worktreePort()),
      processes: this.#fragile(
        "processes",
        machine.processPort(this.now, this.#behaviour, (bead) => this.#started(bead)),
      ),
      folders: this.#fragile("folders", machine.folderPort()),
      runtime: () => machine.runtimePort(),
      now: this.now,
      newSession: () => `s-${this.chance.below(1e9)}`,
      liveness: {
        file: "alive",
        touch: async (at) => {
          machine.touchedAt = at;
        },
      },
      report: (news) => this.log(`${holder}@${number} ${JSON.stringify(news)}`),
    };
    const settings = {
      config: this.config,
      options: { mode: mode.mode, once: false, budgetUsd: BUDGET_USD, backoffSeconds: 5 },
      engineVersion: "0.0.0",
      holder,
      host: `machine-${number}`,
      leaseSeconds: LEASE_SECONDS,
      resume: mode.resume,
      runId: `run-${this.#engines}`,
      agentNotes: "",
    };
    // A machine knows of its own dead engines at once, as the local lock does; of others it has to wait.
    return new Engine(parts, settings, (lease) => lease.host === `machine-${number}`);
  }

  /** The world ends an engine before or after any call it makes. */
  #fragile<T extends object>(name: string, port: T): T {
    return new Proxy(port, {
      get: (target, key) => {
        const value = Reflect.get(target, key);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          this.steps += 1;
          this.#maybeCrash(`before ${name}.${String(key)}`);
          const result = value.apply(target, args);
          if (!(result instanceof Promise)) return result;
          return result.then((answer: unknown) => {
            this.#maybeCrash(`after ${name}.${String(key)}`);
            return answer;
          });
        };
      },
    });
  }

  #maybeCrash(where: string): void {
    if (this.#crashPercent === 0 || this.chance.below(1000) >= this.#crashPercent * 10) return;
    this.log(`CRASH ${where}`);
    this.crashed = true;
    throw new Crash(where);
  }

  calmDown(): void {
    this.#crashPercent = 0;
  }

  #source(): WorkSource {
    const all = () => this.beads.map(({ bead, status, assignee }) => ({ ...bead, status, assignee }));
    const find = (id: string) => this.beads.find(({ bead }) => bead.id === id);
    return {
      all: async () => all(),
      ready: async ({ parent } = {}) => {
        const ready = frontierOf(all());
        return parent === undefined
          ? ready
          : ready.filter((bead) => descendantsOf(parent, all()).some(({ id }) => id === bead.id));
      },
      get: async (id) => all().find((bead) => bead.id === id) ?? null,
      children: async () => [],
      claim: async (id, who) => {
        const there = find(id);
        const answer = judgeClaim(there ?? null, who);
        if (answer !== "free" || !there) return answer === "free" ? "gone" : answer;
        there.status = "in_progress";
        there.assignee = who;
        return "claimed";
      },
      release: async (id) => {
        const there = find(id);
        if (there?.status === "in_progress") Object.assign(there, { status: "open", assignee: "" });
      },
      close: async (id) => {
        const there = find(id);
        if (there) there.status = "closed";
        return there ? "closed" : "gone";
      },
      comment: async () => "added",
    };
  }

  /** Somebody closes finished beads now and then, as landing will, so that their dependents come up. */
  landSome(): void {
    for (const bead of this.#finished.keys()) {
      const there = this.beads.find((candidate) => candidate.bead.id === bead);
      if (there && there.status !== "closed" && this.chance.percent(30)) there.status = "closed";
    }
  }

  #started(bead: string): void {
    this.log(`process for ${bead}`);
    this.check();
  }

  #appended(event: LedgerEvent): void {
    this.log(`${event.type} ${event.bead ?? ""} ${JSON.stringify(event.data).slice(0, 120)}`);
    if (event.type === "slot.finished" && event.bead) {
      const times = (this.#finished.get(event.bead) ?? 0) + 1;
      this.#finished.set(event.bead, times);
    }
    if (event.type === "control.retry" && event.bead)
      this.#retries.set(event.bead, (this.#retries.get(event.bead) ?? 0) + 1);
  }

  /** The whole truth: what is pushed, and what lies on disks. */
  truth(): LedgerState {
    const state = emptyState();
    const seen = new Set<string>();
    for (const event of [
      ...this.remote.chain,
      ...this.machines.flatMap(({ ledgerDisk }) => ledgerDisk.pending),
    ]) {
      if (seen.has(event.id)) continue;
      seen.add(event.id);
      fold(state, { kind: "event", event });
    }
    return state;
  }

  /** What must hold after every step. Throws the invariant's name. */
  check(): void {
    const live = this.machines.flatMap((machine) => machine.live());
    for (const [index, a] of live.entries()) {
      for (const b of live.slice(index + 1)) {
        if (a.bead === b.bead) throw new Error(`two live agents for ${a.bead}`);
        if (conflicts(this.#footprint(a.bead), this.#footprint(b.bead)))
          throw new Error(`${a.bead} and ${b.bead} conflict and both run`);
      }
    }
    const state = this.truth();
    for (const slot of Object.values(state.slots)) {
      if (slot.deaths > 3) throw new Error(`${slot.bead} died ${slot.deaths} times`);
      if (slot.limits > 5) throw new Error(`${slot.bead} met ${slot.limits} limits`);
    }
    const spent = Object.values(state.slots).reduce((sum, slot) => sum + slot.costUsd, 0);
    if (spent > BUDGET_USD) throw new Error(`spent ${spent} of ${BUDGET_USD}`);
  }

  #isReady(id: string): boolean {
    return frontierOf(this.beads.map(({ bead, status }) => ({ ...bead, status }))).some(
      (bead) => bead.id === id,
    );
  }

  #footprint(id: string) {
    return footprintOf(this.beads.find(({ bead }) => bead.id === id)?.bead.labels ?? [], {});
  }

  /** Nothing is under way, whatever is left waits for people. */
  isQuiet(): boolean {
    const open = Object.values(this.truth().slots).filter(
      ({ status }) => status !== "merge-pending" && status !== "blocked",
    );
    return open.length === 0 && this.machines.every((machine) => machine.live().length === 0);
  }

  /** What must hold once the world has come to rest. */
  checkRest(): void {
    const state = this.truth();
    for (const { bead, status } of this.beads) {
      const slot = state.slots[bead.id];
      if (slot && !["merge-pending", "blocked"].includes(slot.status))
        throw new Error(`${bead.id} was left ${slot.status}`);
      if (!slot && status === "in_progress")
        throw new Error(`${bead.id} is in progress and nobody works on it`);
      if (!slot && this.#isReady(bead.id)) throw new Error(`${bead.id} is ready and was never taken`);
      const times = this.#finished.get(bead.id) ?? 0;
      if (slot?.status === "merge-pending" && times === 0)
        throw new Error(`${bead.id} finished without being finished`);
    }
    if (this.machines.some((machine) => machine.live().length > 0))
      throw new Error("an agent outlived the run");
  }
}
