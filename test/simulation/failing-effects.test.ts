import { describe, expect, test } from "vitest";
import { NEW_GOVERNOR } from "../../src/core/govern/governor-state.js";
import { LedgerError } from "../../src/core/run/ledger/ledger-error.js";
import { Engine } from "../../src/engine/engine.js";
import type { EngineNews, EngineParts } from "../../src/engine/engine-parts.js";
import { runLoop } from "../../src/engine/run-loop.js";
import { OutsideFault } from "../../src/ports/outside-fault.js";
import { projectWith } from "../support/core/slots.js";
import { flush } from "./sim-clock.js";
import { Life } from "./sim-life.js";
import type { Behaviour } from "./sim-processes.js";
import { LEASE_SECONDS, SimWorld } from "./sim-world.js";

const CLEAN = '{"blocking": false, "criteria": [], "findings": []}';
const WELL: Behaviour = { seconds: 10, outcome: "completed", text: CLEAN, commits: 1, dirty: false };
const FOREVER: Behaviour = { ...WELL, seconds: 1e9 };

interface Trial {
  /** What fails, as `part.method`, and only in calls that name the bead `b-0` or nothing at all. */
  readonly at: string;
  /** What it fails with; null when the call never returns. */
  readonly error: (() => Error) | null;
  /** How many calls fail; all of them unless told. */
  readonly times?: number;
  /** The operator interrupts the run when the call was made so often. */
  readonly interruptAt?: number;
  /** The operator interrupts it after so many looks. */
  readonly interruptAfter?: number;
  readonly behaviour?: Behaviour;
  readonly redGate?: boolean;
  readonly canWrite?: () => Promise<boolean>;
}

/** One run of the real engine over two good beads that land, with one call to the world that does not work. */
async function run(trial: Trial) {
  const world = new SimWorld({ seed: 1, machines: 1, beads: 2, crashPercent: 0 });
  world.calm = true;
  for (const { bead } of world.beads)
    Object.assign(bead, { labels: [`fp:${bead.id}`], blockers: [], parent: null });
  world.beads.splice(2);
  const [machine] = world.machines;
  if (machine === undefined) throw new Error("a world without machines");
  machine.clones.conflictPercent = 0;
  machine.governor.state = NEW_GOVERNOR;
  machine.gates.redPercent = trial.redGate ? 100 : 0;
  machine.clones.work = (bead, { commits }) => good(world, bead, commits);
  const news: EngineNews[] = [];
  let [calls, isLate] = [0, () => {}];
  const overdue = new Promise<void>((resolve) => {
    isLate = resolve;
  });
  const parts: EngineParts = {
    ...world.partsOf(machine, new Life("engine")),
    processes: machine.processes.port(
      world.now,
      () => trial.behaviour ?? WELL,
      () => {},
    ),
    canWrite: trial.canWrite ?? (async () => true),
    report: (each) => news.push(each),
  };
  const settings = {
    config: projectWith({ merge_policy: "auto", commit_style: "none", gate: ["true"], protected_paths: [] }),
    options: { mode: "rolling" as const, once: false, autoMerge: true, review: true },
    engineVersion: "0.0.0",
    holder: "engine",
    host: "machine",
    leaseSeconds: LEASE_SECONDS,
    resume: false,
    runId: "run-1",
    agentNotes: "",
  };
  const faulty = withFault(parts, trial, () => {
    calls += 1;
    if (calls === trial.interruptAt) interrupt();
    return trial.times === undefined || calls <= trial.times;
  });
  const engine = new Engine(faulty, settings, () => false);
  const interrupt = () => {
    engine.interrupt();
    // Long after everything that comes to its end has done so.
    rounds(1_500).then(isLate);
  };
  let sleeps = 0;
  const end = await runLoop(engine, {
    pollSeconds: 5,
    now: world.now,
    sleep: async (ms) => {
      sleeps += 1;
      if (sleeps === trial.interruptAfter) interrupt();
      if (sleeps > 2_000) throw new Error(`the run does not end: ${JSON.stringify(news.slice(-5))}`);
      await world.clock.pass(ms);
      machine.processes.progress(world.now());
      await rounds(20);
    },
    pause: () => rounds(50),
    overdue,
    lastStepMs: 3_000,
    patienceMs: 60_000,
    onWait: () => {},
  });
  const { slots } = world.truth();
  const told = news.flatMap((each) => (each.kind === "trouble" ? [each.what] : []));
  const live = machine.processes.live().length;
  return {
    end: end.reason,
    slots,
    told,
    calls,
    live,
    statuses: Object.values(slots).map(({ status }) => status),
  };
}

async function rounds(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await flush();
}

/** An agent's work that nothing is to be said against. */
function good({ origin: { history }, machines: [machine] }: SimWorld, bead: string, commits: number): void {
  const clone = machine?.clones.clones.get(bead);
  if (clone === undefined) return;
  for (let left = commits; left > 0; left -= 1) {
    const work = { works: [history.nextWork()], subject: "feat: work", paths: ["src/file.ts"] };
    clone.head = history.add({ parent: clone.head, bead, ...work, signed: false, person: false });
  }
}

function withFault(parts: EngineParts, { at, error }: Trial, fails: () => boolean): EngineParts {
  const [name = "", method = ""] = at.split(".");
  const part = parts[name as keyof EngineParts] as unknown as Record<string, (...args: unknown[]) => unknown>;
  const faulty = new Proxy(part, {
    get: (target, key) => {
      const value = target[key as string];
      if (typeof value !== "function" || key !== method)
        return typeof value === "function" ? value.bind(target) : value;
      return async (...args: unknown[]) => {
        if ((args.length > 0 && !JSON.stringify(args).includes("b-0")) || !fails())
          return value.apply(target, args);
        if (error === null) return new Promise(() => {});
        throw error();
      };
    },
  });
  return { ...parts, [name]: faulty };
}

const broken = () => new Error("it cannot be read");
const full = () => Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
const gone = () => new OutsideFault({ message: "the remote is gone", hint: "" });

describe("a step for a bead that fails for a reason of its own", () => {
  test("nothing fails in a world without faults", async () => {
    expect(await run({ at: "source.nothing", error: broken })).toMatchObject({
      end: "drained",
      statuses: ["merged", "merged"],
      told: [],
    });
  });

  test.each([
    { step: "claim", at: "source.claim" },
    { step: "collect", at: "worktrees.collect" },
    { step: "collect, its processes", at: "processes.sweep" },
    { step: "judge", at: "folders.writeReview" },
    { step: "accept", at: "repo.sign" },
    { step: "prepare", at: "worktrees.prepare" },
    { step: "launch", at: "folders.writeLaunch" },
    { step: "check", at: "folders.openGate" },
  ])(
    "$step: blocks it with the reason, is told of once for each attempt, and ends the run",
    async ({ at }) => {
      const { end, slots, told } = await run({ at, error: broken });
      expect(end).toBe(at === "source.claim" ? "all-deferred" : "drained");
      expect(slots["b-0"]).toMatchObject({
        status: "blocked",
        note: expect.stringContaining("it cannot be read"),
      });
      expect(slots["b-1"]?.status).toBe("merged");
      expect(new Set(told).size).toBe(told.length);
    },
  );

  test("tidying up after a landing is left to the next run: what has landed stays landed", async () => {
    const { end, slots, told } = await run({ at: "source.close", error: broken });
    expect(end).toBe("drained");
    expect(slots["b-0"]).toMatchObject({ status: "merged", settled: false });
    expect(told).toEqual([
      "settle of b-0: it cannot be read",
      expect.stringContaining("the next run tries again"),
    ]);
  });

  test("twice is bad luck", async () => {
    expect(await run({ at: "worktrees.collect", error: broken, times: 2 })).toMatchObject({
      end: "drained",
      statuses: ["merged", "merged"],
    });
  });
});

describe("a step that fails because of what every bead needs", () => {
  test.each([
    { what: "the remote is gone", at: "repo.fetchBase", error: gone },
    {
      what: "the ledger's remote is gone",
      at: "folders.openGate",
      error: () => new LedgerError("unreachable", { message: "gone", hint: "" }),
    },
    { what: "the disk is full, at collect", at: "worktrees.collect", error: full },
    { what: "the disk is full, at prepare", at: "worktrees.prepare", error: full },
    { what: "the disk is full, at launch", at: "folders.writeLaunch", error: full },
    { what: "the disk is full, at judge", at: "folders.writeReview", error: full },
    { what: "the disk is full, at check", at: "folders.openGate", error: full },
    { what: "the disk is full, at settle", at: "repo.drop", error: full },
  ])("$what: is waited for, told of once, and blocks nobody", async ({ at, error }) => {
    const { end, statuses, told } = await run({ at, error, times: 8 });
    expect({ end, statuses }, told.join("\n")).toEqual({ end: "drained", statuses: ["merged", "merged"] });
    expect(told, told.join("\n")).toHaveLength(1);
    expect(told[0]).toContain("waiting");
  });

  test("a disk that takes nothing is waited for, whatever git says", async () => {
    let asked = 0;
    const canWrite = async () => {
      asked += 1;
      return asked > 10;
    };
    expect(await run({ at: "worktrees.collect", error: broken, times: 12, canWrite })).toMatchObject({
      end: "drained",
      statuses: ["merged", "merged"],
    });
  });
});

describe("an interrupt", () => {
  test.each([
    { step: "collect", at: "worktrees.collect" },
    { step: "judge", at: "folders.writeReview" },
  ])("ends a run whose $step fails; the bead is queued for the next one", async ({ at }) => {
    const { end, slots } = await run({ at, error: full, interruptAt: 3 });
    expect(end).toBe("interrupted");
    expect(slots["b-0"]?.status).toBe("queued");
  });

  test.each([
    { step: "claim", at: "source.claim" },
    { step: "prepare", at: "worktrees.prepare" },
    { step: "launch", at: "folders.writeLaunch" },
    { step: "look", at: "processes.status" },
    { step: "collect", at: "worktrees.collect" },
    { step: "judge", at: "folders.writeReview" },
    { step: "accept", at: "repo.sign" },
    { step: "land", at: "folders.openGate" },
    { step: "settle", at: "source.close" },
  ])("ends a run whose $step never comes to its end", async ({ at }) => {
    const { end, live, told } = await run({ at, error: null, interruptAt: 1 });
    expect({ end, live }, told.join("\n")).toEqual({ end: "interrupted", live: 0 });
  });

  test("ends a run whose agents cannot be told to stop", async () => {
    const trial = { at: "processes.signal", error: broken, interruptAfter: 5, behaviour: FOREVER };
    expect((await run(trial)).end).toBe("interrupted");
  });
});

describe("the gate on the default branch", () => {
  test("red, it ends the run before any bead is begun", async () => {
    const { end, statuses } = await run({ at: "source.nothing", error: broken, redGate: true });
    expect({ end, statuses }).toEqual({ end: "gate-red-on-base", statuses: [] });
  });

  test("a remote that is away is waited for, and told of once", async () => {
    const { end, statuses, told } = await run({ at: "worktrees.fetch", error: gone, times: 3 });
    expect({ end, statuses }).toEqual({ end: "drained", statuses: ["merged", "merged"] });
    expect(told).toEqual([
      "trying the gate on the default branch: the remote is gone; waiting until it works again",
    ]);
  });

  test("what fails for another reason ends the run, and no agent was started", async () => {
    await expect(run({ at: "worktrees.fetch", error: broken })).rejects.toThrow("it cannot be read");
  });

  test("an interrupt does not wait for a remote that never answers", async () => {
    const { end, told } = await run({ at: "worktrees.fetch", error: null, interruptAt: 1 });
    expect({ end, told }).toEqual({ end: "interrupted", told: [] });
  });
});
