import type { Engine } from "../../src/engine/engine.js";
import { UserError } from "../../src/lib/user-error.js";
import { Crash, type SimOptions, SimWorld } from "./sim-world.js";

export interface SimResult {
  readonly seed: number;
  readonly steps: number;
  readonly failure: string | null;
  readonly trace: readonly string[];
}

/** A slot in the simulation for one engine: empty after a crash, until somebody starts a new one. */
interface Seat {
  engine: Engine | null;
  begun: boolean;
}

const ROUNDS = 250;
const REST_ROUNDS = 3_000;

/** Plays one seed: a stormy part with crashes and commands, then calm until everything has come to rest. */
export async function simulate(options: SimOptions): Promise<SimResult> {
  const world = new SimWorld(options);
  const seats = world.machines.map((): Seat => ({ engine: null, begun: false }));
  const failed = (error: unknown): SimResult => ({
    seed: options.seed,
    steps: world.steps,
    failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
    trace: world.trace,
  });
  try {
    for (let round = 0; round < ROUNDS; round += 1) await storm(world, seats);
    world.calmDown();
    await rest(world, seats);
    world.checkRest();
  } catch (error) {
    return failed(error);
  }
  return { seed: options.seed, steps: world.steps, failure: null, trace: world.trace };
}

async function storm(world: SimWorld, seats: readonly Seat[]): Promise<void> {
  const { chance } = world;
  world.clock += chance.pick([0, 0, 1, 1, 2, 2, 5, 5, 10, 15, chance.percent(10) ? 90 : 1]) * 1000;
  // Clocks jump: suspended machines, corrections. Not backwards past what files already show.
  if (chance.percent(1)) world.clock += 3_600_000;
  for (const machine of world.machines) machine.progress(world.now());
  world.check();
  if (chance.percent(10)) world.landSome();
  if (chance.percent(4)) await command(world);
  const index = chance.below(seats.length);
  await drive(world, seats, index);
  world.check();
}

async function command(world: SimWorld): Promise<void> {
  const { chance } = world;
  const { bead } = chance.pick(world.beads);
  const ledger = world.operator();
  await ledger.refresh();
  const event = chance.pick([
    { type: "control.stop", bead: bead.id, data: { force: chance.percent(50) } } as const,
    { type: "control.retry", bead: bead.id, data: {} } as const,
    { type: "control.nudge", bead: bead.id, data: { text: "hello" } } as const,
    { type: "control.resize", data: { max: 1 + chance.below(5), force: chance.percent(20) } } as const,
    { type: "control.drain", data: {} } as const,
  ]);
  await ledger.observe([event]);
  await ledger.share("now");
}

/** One turn of one seat: start an engine if there is none, else one tick of it. */
async function drive(
  world: SimWorld,
  seats: readonly Seat[],
  index: number,
  resume?: boolean,
): Promise<void> {
  const seat = seats[index];
  const machine = world.machines[index];
  if (!seat || !machine) return;
  try {
    if (seat.engine === null) {
      const ran = world.truth().run !== null;
      seat.engine = world.engine(machine, {
        resume: ran && (resume ?? world.chance.percent(80)),
        mode: world.chance.pick(["rolling", "wave"]),
      });
      seat.begun = false;
    }
    if (!seat.begun) {
      seat.begun = (await seat.engine.begin()) === null;
      return;
    }
    world.crashed = false;
    const tick = await seat.engine.tick();
    await seat.engine.settle();
    // What failed behind the engine's back either killed it, or it has to cope.
    if (world.crashed && world.chance.percent(50)) throw new Crash("behind the engine's back");
    if (tick.end === null) return;
    await seat.engine.close(tick.end.reason, tick.end.code);
    world.lastEnd = tick.end.reason;
    world.log(`run ended: ${tick.end.reason}`);
    seat.engine = null;
  } catch (error) {
    if (error instanceof UserError) {
      world.log(`engine gave up: ${error.message}`);
      await seat.engine?.abandon().catch((second: unknown) => {
        if (!(second instanceof Crash)) throw second;
      });
    } else if (!(error instanceof Crash)) throw error;
    seat.engine = null;
  }
}

/** Without crashes, one engine is resumed until a run ends with nothing left to do. */
async function rest(world: SimWorld, seats: readonly Seat[]): Promise<void> {
  for (const seat of seats.slice(1)) seat.engine = null;
  for (let round = 0; round < REST_ROUNDS; round += 1) {
    world.clock += 10_000;
    for (const machine of world.machines) machine.progress(world.now());
    world.check();
    const before = seats[0]?.engine;
    await drive(world, seats, 0, true);
    world.check();
    const ended = before !== null && seats[0]?.engine === null;
    // A drain that was asked for in the storm ends a run with work left; the next one does it.
    if (ended && world.isQuiet() && world.lastEnd !== "operator-drain") return;
  }
  throw new Error("the world did not come to rest");
}
