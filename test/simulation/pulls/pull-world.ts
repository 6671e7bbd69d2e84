import { createHash } from "node:crypto";
import type { ProjectConfig } from "../../../src/core/config/project-schema.js";
import { GATE_CHECK } from "../../../src/core/land/pull/unmet-for-landing.js";
import { pullSubject } from "../../../src/core/model/pull.js";
import type { LedgerState } from "../../../src/core/run/ledger/ledger-state.js";
import type { PullLandEnd } from "../../../src/pulls/land-pull.js";
import { Chance } from "../chance.js";
import { SimClock } from "../sim-clock.js";
import { Folded, SimLedger } from "../sim-ledger.js";
import { fragile, type Life, type Weather } from "../sim-life.js";
import { SimMachine } from "../sim-machine.js";
import { SimOrigin } from "../sim-origin.js";
import { simReceipts } from "../sim-receipts.js";
import { ACTIONS, type Account, Hub, type HubComment, type HubPull, type HubReview } from "./hub.js";
import { hubConditions, hubPulls, hubRecord, hubThreads } from "./hub-ports.js";
import { hubRepo } from "./hub-repo.js";
import { makePeople, somebodyActs } from "./people.js";
import { PullJudge } from "./pull-judge.js";
import { baseRules, pullConfig } from "./pull-project.js";
import { SimApp } from "./sim-app.js";
import { SimTerminal } from "./sim-terminal.js";

export interface PullSimOptions {
  readonly seed: number;
  readonly crashPercent: number;
  /** Whether somebody takes events off the ledger. */
  readonly rewinds: boolean;
}

const START_MS = 1_700_000_000_000;

/** How often, in a hundred, which call takes its time, so that others come in between. */
const SLOW: Readonly<Record<string, number>> = {
  ...{
    read: 4,
    verdicts: 4,
    fetch: 6,
    range: 4,
    rules: 4,
    checks: 8,
    commits: 4,
    activity: 8,
    isReplay: 6,
    rebase: 10,
  },
  ...{ pushBranch: 15, pushBase: 25, claimBeside: 25, claim: 5, role: 4, review: 4, complete: 10, share: 5 },
};

/** The shared default branch, where every landing goes before the judge first. */
class PullOrigin extends SimOrigin {
  onLand: (bead: string, from: string, head: string) => void = () => {};

  override land(bead: string, from: string, head: string): void {
    if (from !== this.tip) this.violate("a push without its lease");
    if (!this.history.isAncestor(from, head)) this.violate(`${bead} was pushed over what others pushed`);
    this.onLand(bead, from, head);
  }
}

/** GitHub with people on it, the App, and operators' terminals: their decisions are real, what they touch is not. */
export class PullWorld {
  readonly chance: Chance;
  readonly clock = new SimClock(START_MS);
  readonly origin = new PullOrigin();
  readonly people = makePeople();
  readonly config: ProjectConfig;
  readonly hasKey: boolean;
  readonly required: readonly { readonly name: string; readonly app: number | null }[];
  readonly conflictPercent: number;
  readonly hub: Hub;
  readonly judge: PullJudge;
  readonly app: SimApp;
  readonly terminals: SimTerminal[] = [];
  #started = 0;
  readonly trace: (() => string)[] = [];
  /** Who asked, by the process that lands. */
  readonly requesters = new Map<string, number>();
  /** What became of each pull request's last landing. */
  readonly outcomes = new Map<number, PullLandEnd>();
  readonly #machines: readonly SimMachine[];
  readonly #weather: Weather;
  readonly #deliveries: { readonly at: number; readonly tell: () => Promise<void> }[] = [];
  readonly #rivalPercent: number;
  /** The process whose push is under way. */
  #pushing = "";
  #folded = new Folded();
  #rewound: readonly SimOrigin["chain"][number][] | null = null;
  /** Landings whose record somebody took away for good. */
  readonly unrecorded = new Set<string>();
  steps = 0;
  calm = false;

  constructor(options: PullSimOptions) {
    const chance = new Chance(options.seed);
    this.chance = chance;
    const signing = chance.percent(30);
    this.hasKey = chance.percent(signing ? 85 : 40);
    this.conflictPercent = chance.pick([0, 5, 15]);
    this.#rivalPercent = chance.pick([5, 5, 70]);
    const approvals = chance.pick<"rules" | number>(["rules", 1, 1, 2]);
    const byRules = chance.pick([0, 1, 1, 2]);
    const gate = chance.pick(["run", "checks"]);
    this.required = [
      { name: "ci", app: chance.pick([ACTIONS, null]) },
      ...(gate === "run" && chance.percent(70) ? [{ name: GATE_CHECK, app: null }] : []),
    ];
    this.config = pullConfig({ signing, approvals, gate, requesterCounts: chance.percent(20) });
    this.hub = new Hub(this.origin, this.clock, () => this.judge.see());
    this.hub.rules = baseRules(byRules, this.required);
    this.hub.lateMs = () => (this.calm ? 0 : this.chance.pick([0, 0, 1_000, 5_000, 30_000]));
    const rules = { config: this.config, approvals: byRules, checks: this.required };
    this.judge = new PullJudge(this.hub, this.people.all, rules);
    this.origin.onLand = (bead, from, head) => this.#landing(bead, from, head);
    this.#machines = [0, 1].map(() => new SimMachine(this.origin, chance));
    this.#weather = {
      ...{ chance, clock: this.clock, crashPermille: options.crashPercent * 10, late: 0, slow: SLOW },
      log: (line) => this.log(line),
      step: () => {
        this.steps += 1;
      },
      meanwhile: () => this.somebody(),
    };
    this.app = new SimApp(this);
  }

  /** Where nothing proves the gate on GitHub, a terminal has to run it. */
  get appRunsNoGate(): boolean {
    return this.config.land.gate === "run" && !this.required.some(({ name }) => name === GATE_CHECK);
  }

  log(line: string | (() => string)): void {
    const seconds = (this.clock.now - START_MS) / 1000;
    this.trace.push(() => `${seconds}s ${typeof line === "string" ? line : line()}`);
  }

  digest(text: string): string {
    return createHash("sha256").update(text).digest("hex");
  }

  /** The ports of one process on one machine. */
  partsOf(machine: SimMachine, life: Life, process: string) {
    const { hub, people } = this;
    const lossPercent = () => (this.calm ? 0 : 2);
    const shaky = <T extends object>(name: string, port: T): T => fragile(name, port, life, this.#weather);
    const repo = hubRepo(hub, machine.clones, {
      ...{ hasKey: this.hasKey, lossPercent, conflictPercent: this.conflictPercent },
      onPushBase: (from, to) => {
        this.#pushing = process;
        const landing = this.truth().landings.find(({ intended }) => intended?.head === to);
        if (landing === undefined)
          return this.origin.violate(`${to} was pushed without the intention on record`);
        this.origin.land(landing.bead, from, to);
      },
    });
    return {
      ledger: shaky("ledger", this.#ledgerOf(machine, process)),
      pulls: shaky(
        "pulls",
        hubPulls(hub, (pull) => this.judge.begin(process, pull)),
      ),
      record: shaky("record", hubRecord(hub, people.all)),
      threads: shaky(
        "threads",
        hubThreads(hub, people.all, (pull, body) => this.log(`to #${pull}: ${body}`)),
      ),
      conditions: shaky("conditions", hubConditions(hub)),
      repo: shaky("repo", repo),
      receipts: shaky("receipts", simReceipts(this.origin, this.chance, lossPercent)),
      digest: (text: string) => this.digest(text),
      now: () => this.clock.now,
    };
  }

  #ledgerOf(machine: SimMachine, process: string): SimLedger {
    return new SimLedger(this.origin, machine.ledgerDisk, {
      ...{ chance: this.chance, now: () => this.clock.now, rivalPercent: this.calm ? 0 : this.#rivalPercent },
      onAppend: (event) => this.log(() => `${event.type} ${event.bead ?? ""} ${JSON.stringify(event.data)}`),
      onLanding: () => {
        this.#pushing = process;
      },
      lossPercent: () => (this.calm ? 0 : 2),
    });
  }

  #landing(bead: string, from: string, head: string): void {
    const pull = this.hub.pulls.find(({ number }) => pullSubject(number) === bead);
    if (pull === undefined) throw new Error(`${bead} is no pull request, and landed`);
    const asked = this.config.land.requester_counts ? null : (this.requesters.get(this.#pushing) ?? null);
    const request = this.truth().landings.find((each) => each.bead === bead)?.id ?? "";
    this.judge.land(this.#pushing, { pull, head, request, requester: asked });
    this.log(`LANDS #${pull.number} as ${head}`);
    this.hub.landings.push({ pull: pull.number, request, bead, from, head });
    this.hub.moveBase(head);
  }

  /** Commits of somebody's on top of another. */
  commits(parent: string, by: Account, count: number): string {
    const { history } = this.origin;
    let head = parent;
    for (let left = count; left > 0; left -= 1)
      head = history.add({
        ...{ parent: head, bead: null, works: [history.nextWork()], subject: "feat: work", person: true },
        ...{ signed: this.chance.percent(90), paths: ["src/file.ts"], by: by.id },
      });
    return head;
  }

  earlierHead({ branch, shown }: HubPull): string {
    const heads = this.hub.pushes.filter((push) => push.branch === branch).map(({ after }) => after);
    return heads.length > 0 ? this.chance.pick(heads) : shown;
  }

  /** A run of the head's own workflow; null while it is under way. */
  runChecks(sha: string, conclusion: string | null): void {
    const status = conclusion === null ? "under-way" : "done";
    for (const { name, app } of this.required)
      this.hub.report({
        ...{ sha, name, app: app ?? ACTIONS, status, state: conclusion ?? "in_progress" },
        ...{ jobOfHead: true, genuine: true },
      });
    this.#deliver(() => this.app.hearOther());
  }

  hearComment(comment: HubComment): void {
    this.#deliver(() => this.app.hearComment(comment));
  }

  hearReview(review: HubReview, state: HubReview["state"]): void {
    this.#deliver(() => this.app.hearReview(review, state));
  }

  /** A webhook comes at once, late, twice or never. */
  #deliver(tell: () => Promise<void>): void {
    if (!this.calm && this.chance.percent(6)) return;
    const late = () => (this.calm ? 0 : this.chance.pick([0, 0, 0, 2_000, 20_000]));
    for (let times = this.chance.percent(5) ? 2 : 1; times > 0; times -= 1)
      this.#deliveries.push({ at: this.clock.now + late(), tell });
  }

  /** Somebody does something after a while, unless the storm is over by then. */
  later(ms: number, act: () => void): void {
    const tell = async () => {
      if (!this.calm) act();
    };
    this.#deliveries.push({ at: this.clock.now + ms, tell });
  }

  async deliverDue(): Promise<void> {
    for (const delivery of this.#deliveries.splice(0)) {
      if (delivery.at > this.clock.now) this.#deliveries.push(delivery);
      else await delivery.tell();
    }
  }

  startTerminal(number: number): string {
    // Counted before it starts: its first call to the world may make somebody start the next one.
    const name = `terminal-${this.#started}`;
    this.#started += 1;
    this.terminals.push(new SimTerminal(this, this.chance.pick(this.#machines), { number, name }));
    return `${name} is to land it`;
  }

  somebody(): void {
    if (!this.calm) this.log(somebodyActs(this));
  }

  outcome(pull: number | null, end: PullLandEnd): void {
    if (pull !== null) this.outcomes.set(pull, end);
  }

  /** What went wrong is no surprise if it is one of these; else it fails the simulation. */
  excuse(name: string, error: unknown, expected: readonly (new (...args: never[]) => Error)[]): void {
    this.log(`${name} failed: ${error instanceof Error ? error.message : String(error)}`);
    if (expected.some((kind) => error instanceof kind)) return;
    this.origin.violation ??= error instanceof Error ? error : new Error(String(error));
  }

  /** Somebody takes the newest events off the ledger. */
  rewindLedger(): void {
    const { chain } = this.origin;
    if (this.#rewound !== null || chain.length < 4) return;
    this.#rewound = [...chain];
    chain.splice(chain.length - 1 - this.chance.below(3));
    this.#folded = new Folded();
    this.log(`somebody rewinds the ledger from ${this.#rewound.length} to ${chain.length} events`);
  }

  /** Somebody pushes them back; where others have gone on without them, they are given up on every machine. */
  mendLedger(): void {
    const { chain } = this.origin;
    const before = this.#rewound;
    if (before === null) return;
    this.#rewound = null;
    this.#folded = new Folded();
    const untouched = chain.every((event, at) => before[at]?.id === event.id) && this.chance.percent(50);
    if (untouched) chain.splice(0, chain.length, ...before);
    else {
      const left = new Set(chain.map(({ id }) => id));
      for (const event of before)
        if (event.type === "land.landed" && !left.has(event.id)) this.unrecorded.add(event.data.head);
      for (const { ledgerDisk } of [this.app.machine, ...this.#machines]) ledgerDisk.remove();
    }
    this.log(untouched ? "somebody pushes the ledger back" : "the loss of events is wanted");
  }

  /** What the ledger says. */
  truth(): LedgerState {
    return this.#folded.state(this.origin.chain, this.origin.chain.length, []);
  }

  quiet(): void {
    this.calm = true;
    this.#weather.crashPermille = 0;
    this.mendLedger();
    this.hub.rulesReadable = true;
    for (const person of [...this.people.writers, ...this.people.reviewers]) person.role = "write";
    for (const pull of this.hub.pulls) Object.assign(pull, { draft: false, into: "main" });
    this.hub.onChange();
  }
}
