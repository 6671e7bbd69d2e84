import type { ProjectConfig } from "../../src/core/config/project-schema.js";
import { configureMachine } from "../../src/core/govern/configure-machine.js";
import { configurePool } from "../../src/core/govern/configure-pool.js";
import type { LedgerEvent } from "../../src/core/run/ledger/ledger-event.js";
import type { LedgerState } from "../../src/core/run/ledger/ledger-state.js";
import { Engine } from "../../src/engine/engine.js";
import type { EngineParts } from "../../src/engine/engine-parts.js";
import type { Pulls, PullsAccess } from "../../src/ports/pulls.js";
import { Chance } from "./chance.js";
import { SimAccounts } from "./sim-accounts.js";
import { SimClock } from "./sim-clock.js";
import { Folded, SimLedger } from "./sim-ledger.js";
import { fragile, type Life, type Weather } from "./sim-life.js";
import { SimMachine } from "./sim-machine.js";
import { SimOrigin } from "./sim-origin.js";
import { type SimBead, simBeads, simBehaviour, simConfig, simOptions } from "./sim-project.js";
import { SimProvider } from "./sim-provider.js";
import { simPulls } from "./sim-pulls.js";
import { simReceipts } from "./sim-receipts.js";
import { simRepo } from "./sim-repo.js";
import { simSource } from "./sim-source.js";

export interface SimOptions {
  readonly seed: number;
  readonly machines: number;
  readonly beads: number;
  readonly crashPercent: number;
  /** Whether machines' wall clocks are set forward and back, each for itself. */
  readonly clocks?: boolean | undefined;
  /** What is landed on: a remote, which moves together with the ledger, or a checkout, which moves alone. */
  readonly target?: "remote" | "checkout" | undefined;
}

export const LEASE_SECONDS = 60;
export const BUDGET_USD = 400;
/** Late enough that no clock is ever set back beyond 1970. */
const START_MS = 1_700_000_000_000;

/** A whole world around real engines: their decisions and effects are real, everything they touch is not. */
export class SimWorld {
  readonly chance: Chance;
  readonly origin = new SimOrigin();
  /** The true time. No engine sees it: each reads the wall clock of its machine. */
  readonly clock = new SimClock(START_MS);
  readonly machines: SimMachine[];
  readonly config: ProjectConfig;
  /** Written out only when somebody is going to read it. */
  readonly trace: (() => string)[] = [];
  readonly beads: SimBead[];
  readonly provider: SimProvider;
  readonly accounts: SimAccounts;
  readonly weather: Weather;
  readonly clocksJump: boolean;
  readonly target: "remote" | "checkout";
  /** Beads that were finished at some time. */
  readonly finished = new Set<string>();
  readonly #hasKey: boolean;
  readonly #options: ReturnType<typeof simOptions>;
  readonly #folded = new Folded();
  steps = 0;
  /** Why the last run ended. */
  lastEnd = "";
  calm = false;
  #engines = 0;

  constructor(options: SimOptions) {
    this.chance = new Chance(options.seed);
    this.clocksJump = options.clocks ?? false;
    this.target = options.target ?? "remote";
    this.machines = Array.from({ length: options.machines }, () => new SimMachine(this.origin, this.chance));
    const conflictPercent = this.chance.pick([5, 12, 50]);
    for (const { clones } of this.machines) clones.conflictPercent = conflictPercent;
    this.config = simConfig(this.chance);
    const account = { pool: "", adaptive: this.chance.percent(50), hardMax: null, seededCap: null };
    const cap = 1 + this.chance.below(4);
    for (const { governor } of this.machines)
      governor.state = configurePool(
        configureMachine(governor.state, { ceiling: 1 + this.chance.below(5) }),
        { ...account, cap },
        START_MS,
      );
    this.#hasKey = this.chance.percent(this.config.signing.required ? 90 : 50);
    this.#options = simOptions(this.chance);
    this.beads = simBeads(this.chance, options.beads);
    this.provider = new SimProvider(this.chance);
    this.accounts = new SimAccounts(this.chance);
    this.weather = {
      chance: this.chance,
      clock: this.clock,
      crashPermille: options.crashPercent * 10,
      late: 0,
      log: (line) => this.log(line),
      step: () => {
        this.steps += 1;
      },
      meanwhile: () => this.outsider(),
    };
  }

  now = (): number => this.clock.now;

  wallOf(machine: SimMachine): () => number {
    return () => this.clock.now + machine.skewMs;
  }

  /** The provider of all agents has a bad time, or a good one again. */
  passProvider(): void {
    const spell = this.provider.pass(this.clock.now, this.calm);
    if (spell !== null) this.log(`provider: ${spell}`);
  }

  passAccounts(): void {
    const spent = this.accounts.pass(this.clock.now, this.calm);
    if (spent !== null) this.log(`account: ${spent}`);
  }

  /** Somebody corrects a machine's clock, by seconds or by days, or puts it right again. */
  setClocks(): void {
    const machine = this.chance.pick(this.machines);
    const seconds = this.chance.pick([1, 20, 45, 90, 600, 3_600, 86_400, 5 * 86_400]);
    machine.skewMs = this.chance.percent(25)
      ? 0
      : machine.skewMs + this.chance.pick([-1, -1, 1]) * seconds * 1000;
    this.log(`clock of machine ${this.machines.indexOf(machine)} is now ${machine.skewMs / 1000} s off`);
  }

  log(line: string | (() => string)): void {
    const seconds = (this.clock.now - START_MS) / 1000;
    this.trace.push(() => `${seconds}s ${typeof line === "string" ? line : line()}`);
  }

  /** A ledger for somebody who is no engine, such as the command line. */
  ledgerOf(machine: SimMachine): SimLedger {
    return new SimLedger(this.origin, machine.ledgerDisk, {
      chance: this.chance,
      now: this.wallOf(machine),
      onAppend: (event) => this.#appended(event),
      onLanding: (bead) => this.#landing(bead),
      lossPercent: () => (this.calm ? 0 : 2),
    });
  }

  /** What a process on a machine works with, until it dies. */
  partsOf(machine: SimMachine, life: Life): EngineParts {
    const number = this.machines.indexOf(machine);
    const ports = {
      ledger: this.ledgerOf(machine),
      source: simSource(this.beads),
      worktrees: machine.clones.worktreePort(),
      processes: machine.processes.port(
        this.now,
        (attempt, reviews) => this.provider.turnAway(simBehaviour(this.chance, attempt, reviews)),
        (bead) => this.log(`process for ${bead}`),
      ),
      governor: machine.governor.port(life, this.wallOf(machine), this.chance),
      folders: machine.folderPort(),
      repo: simRepo(machine.clones, {
        target: this.target,
        hasKey: this.#hasKey,
        commitStyle: this.config.commit_style,
        lossPercent: () => (this.calm ? 0 : 2),
        during: (bead, work) => machine.during(bead, life, work),
        intendedBy: (head) =>
          this.truth().landings.find(({ intended }) => intended?.head === head)?.bead ?? null,
        onLanding: (bead) => this.#landing(bead),
      }),
      gate: machine.gatePort(this, life),
      pulls: simPulls(this.origin, this.chance, () => (this.calm ? 0 : 2)),
      receipts: simReceipts(this.origin, this.chance, () => (this.calm ? 0 : 2)),
      quotas: this.accounts.port(),
    };
    const shaky = <K extends keyof typeof ports>(name: K) => fragile(name, ports[name], life, this.weather);
    return {
      ledger: shaky("ledger"),
      source: shaky("source"),
      worktrees: shaky("worktrees"),
      processes: shaky("processes"),
      governor: shaky("governor"),
      folders: shaky("folders"),
      repo: shaky("repo"),
      gate: shaky("gate"),
      pulls: async () => this.#pullsAccess(shaky("pulls")),
      receipts: shaky("receipts"),
      quotas: shaky("quotas"),
      // Who has the lock knows it: it is either taken or not, and goes with its process.
      landTurn: async () => machine.landTurn(life),
      runtime: () => machine.processes.runtimePort(),
      now: this.wallOf(machine),
      steady: this.now,
      canWrite: async () => true,
      newSession: () => `s-${this.chance.below(1e9)}`,
      liveness: {
        file: "alive",
        touch: async (at) => {
          if (!life.dead) machine.processes.touch(at, this.clock.now);
        },
      },
      report: (news) => {
        if (!life.dead) this.log(() => `${life.name}@${number} ${JSON.stringify(news)}`);
      },
    };
  }

  /** Without a remote there is no GitHub, and now and then nobody has a token. */
  #pullsAccess(pulls: Pulls): PullsAccess {
    if (this.target === "checkout") return { kind: "no_remote" };
    const hasToken = this.calm || !this.chance.percent(5);
    return hasToken ? { kind: "pulls", pulls } : { kind: "no_token", host: "github.sim" };
  }

  engine(machine: SimMachine, life: Life, mode: { resume: boolean; mode: "rolling" | "wave" }): Engine {
    this.#engines += 1;
    this.provider.occasion();
    const host = `machine-${this.machines.indexOf(machine)}`;
    const flags = this.chance.percent(20) ? simOptions(this.chance) : this.#options;
    const settings = {
      config: this.config,
      options: { mode: mode.mode, once: false, budgetUsd: BUDGET_USD, backoffSeconds: 5, ...flags },
      engineVersion: "0.0.0",
      holder: life.name,
      host,
      leaseSeconds: LEASE_SECONDS,
      resume: mode.resume,
      // As on a runner, where nobody is there to resume anything.
      adopt: !mode.resume && this.chance.percent(40),
      runId: `run-${this.#engines}`,
      agentNotes: "",
    };
    // A machine knows of its own dead engines at once, as the local lock does; of others it has to wait.
    return new Engine(this.partsOf(machine, life), settings, (lease) => lease.host === host);
  }

  /** Other people do something to the default branch. */
  outsider(): void {
    if (this.calm) return;
    const heads = this.machines.flatMap(({ clones }) => [
      ...clones.candidates.values(),
      ...clones.branches.values(),
    ]);
    this.log(`somebody ${this.origin.outsider(this.chance, heads)}`);
  }

  /**
   * A person closes a finished bead, so that its dependents come up, adds a commit to it, or opens one again that
   * has landed.
   */
  people(): void {
    const there = this.chance.pick(this.beads);
    const { id } = there.bead;
    const slot = this.truth().slots[id];
    if (slot?.status === "merged" && slot.settled && this.chance.percent(30)) {
      this.log(`somebody opens ${id} again`);
      Object.assign(there, { status: "open", assignee: "" });
      for (const push of this.origin.pushed) if (push.bead === id) push.reopened = true;
    }
    if (slot?.status !== "merge-pending") return;
    if (this.chance.percent(50)) this.chance.pick(this.machines).clones.touch(id);
    else there.status = "closed";
  }

  #landing(bead: string): void {
    const live = this.machines.flatMap(({ processes }) => processes.live());
    if (live.some((process) => process.bead === bead))
      this.origin.violate(`${bead} landed while its agent was at work`);
  }

  #appended(event: LedgerEvent): void {
    this.log(() => `${event.type} ${event.bead ?? ""} ${JSON.stringify(event.data).slice(0, 200)}`);
    const overQuota = this.accounts.appended(event, this.clock.now);
    if (overQuota !== null) this.origin.violate(overQuota);
    if (event.type === "slot.finished" && event.bead) this.finished.add(event.bead);
    if (event.type === "land.landed" && !this.origin.had(event.data.head))
      this.origin.violate(
        `${event.bead} was recorded as landed, and ${event.data.head} never was on the branch`,
      );
  }

  /** The whole truth: what is pushed, and what lies on disks. */
  truth = (): LedgerState => {
    const pending = this.machines.flatMap(({ ledgerDisk }) => ledgerDisk.pending);
    return this.#folded.state(this.origin.chain, this.origin.chain.length, pending);
  };
}
