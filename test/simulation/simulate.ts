import { runEndText } from "../../src/core/replies/run/progress.js";
import type { Engine } from "../../src/engine/engine.js";
import { LeaseLost } from "../../src/engine/lease/hold-lease.js";
import { UserError } from "../../src/lib/user-error.js";
import { check, checkRest, isQuiet } from "./sim-checks.js";
import { flush } from "./sim-clock.js";
import { Hiccup, Life } from "./sim-life.js";
import { command, SimLander } from "./sim-operator.js";
import { type SimOptions, SimWorld } from "./sim-world.js";

export interface SimResult {
  readonly seed: number;
  readonly steps: number;
  readonly landed: number;
  readonly failure: string | null;
  readonly trace: readonly string[];
}

/** A place in the simulation for one engine: empty after a crash, until somebody starts a new one. */
interface Seat {
  running: { readonly engine: Engine; readonly life: Life; begun: boolean } | null;
  /** A turn that is not over: what it waits for takes time. */
  turn: Promise<void> | null;
}

const ROUNDS = 220;
const REST_ROUNDS = 3_000;

/** Plays one seed: a stormy part with crashes and commands, then calm until everything has come to rest. */
export async function simulate(options: SimOptions): Promise<SimResult> {
  const world = new SimWorld(options);
  const seats = world.machines.map((): Seat => ({ running: null, turn: null }));
  const landers: SimLander[] = [];
  const result = (failure: string | null): SimResult => ({
    seed: options.seed,
    steps: world.steps,
    landed: world.origin.pushed.length,
    failure,
    trace: failure === null ? [] : world.trace.map((line) => line()),
  });
  try {
    for (let round = 0; round < ROUNDS; round += 1) await storm(world, seats, landers);
    world.calm = true;
    world.weather.crashPermille = 0;
    for (const machine of world.machines) machine.governor.clear(world.wallOf(machine)());
    await rest(world, seats, landers);
    checkRest(world);
  } catch (error) {
    return result(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  return result(null);
}

async function pass(world: SimWorld, seconds: number): Promise<void> {
  await world.clock.pass(seconds * 1000);
  world.passProvider();
  world.passAccounts();
  for (const { processes } of world.machines) processes.progress(world.now());
  check(world);
}

async function storm(world: SimWorld, seats: readonly Seat[], landers: SimLander[]): Promise<void> {
  const { chance } = world;
  await pass(world, chance.pick([0, 0, 1, 1, 2, 2, 5, 5, 10, 15, chance.percent(10) ? 90 : 1]));
  // Nobody looks for an hour: all machines are suspended.
  if (chance.percent(1)) await pass(world, 3_600);
  if (world.clocksJump && chance.percent(5)) world.setClocks();
  for (const machine of world.machines) machine.governor.neighbour(world.wallOf(machine)(), chance);
  if (chance.percent(5)) world.people();
  if (chance.percent(5)) world.outsider();
  if (chance.percent(4)) await command(world);
  if (chance.percent(6)) landers.push(new SimLander(world, landers.length));
  const lander = landers.find(({ over }) => !over);
  if (lander && chance.percent(4)) lander.interrupt();
  if (lander && chance.percent(2)) lander.life.kill();
  const index = chance.below(seats.length);
  if (chance.below(1000) < 4) seats[index]?.running?.engine.interrupt();
  await drive(world, seats, index);
  check(world);
}

/** One turn of one seat, as far as it gets without time passing. */
async function drive(
  world: SimWorld,
  seats: readonly Seat[],
  index: number,
  resume?: boolean,
): Promise<void> {
  const seat = seats[index];
  if (!seat) return;
  seat.turn ??= turn(world, seat, index, resume).finally(() => {
    seat.turn = null;
  });
  seat.turn.catch((error: unknown) => {
    world.origin.violation ??= error instanceof Error ? error : new Error(String(error));
  });
  do await flush();
  while (world.weather.late > 0);
}

/** Starts an engine if there is none, else lets it tick once. */
async function turn(world: SimWorld, seat: Seat, index: number, resume?: boolean): Promise<void> {
  const machine = world.machines[index];
  if (!machine) return;
  if (seat.running === null) {
    const ran = world.truth().run !== null;
    const life = new Life(`engine-${world.steps}`);
    const engine = world.engine(machine, life, {
      resume: ran && (resume ?? world.chance.percent(80)),
      mode: world.chance.pick(["rolling", "wave"]),
    });
    seat.running = { engine, life, begun: false };
  }
  const { running } = seat;
  const { life } = running;
  const over = await Promise.race([
    tickOnce(world, running, () => machine.processes.attended(world.now())),
    life.ended.then(() => true),
  ]);
  if (!over) return;
  machine.processes.attended(null);
  life.kill();
  seat.running = null;
}

/** True when the engine is over. */
async function tickOnce(
  world: SimWorld,
  running: NonNullable<Seat["running"]>,
  attended: () => void,
): Promise<boolean> {
  const { engine } = running;
  try {
    if (!running.begun) {
      running.begun = (await engine.begin()) === null;
      return false;
    }
    const tick = await engine.tick();
    attended();
    if (tick.end === null) return false;
    await engine.close(tick.end.reason, tick.end.code);
    world.lastEnd = runEndText(tick.end.reason);
    world.log(`run ended: ${world.lastEnd}`);
    // Somebody reads it, and sees to the machine or to the branch.
    if (tick.end.reason === "gate-red-on-base") for (const { gates } of world.machines) gates.mend();
  } catch (error) {
    // A failure that the engine does not cope with ends its process, and nothing is tidied up.
    if (error instanceof Hiccup) return true;
    if (!(error instanceof UserError)) throw error;
    world.log(`engine gave up: ${error.message}`);
    await giveUp(engine, error).catch((second: unknown) => {
      if (!(second instanceof Hiccup || second instanceof UserError)) throw second;
    });
  }
  return true;
}

async function giveUp(engine: Engine, error: UserError): Promise<void> {
  await engine.abandon();
  if (!(error instanceof LeaseLost)) await engine.close("failed", 1);
}

/** Without crashes, one engine is resumed until a run ends with nothing left to do. */
async function rest(world: SimWorld, seats: readonly Seat[], landers: readonly SimLander[]): Promise<void> {
  for (const seat of seats.slice(1)) seat.running?.life.kill();
  for (let round = 0; round < REST_ROUNDS; round += 1) {
    await pass(world, world.chance.pick([10, 20, 30]));
    world.lastEnd = "";
    await drive(world, seats, 0, true);
    check(world);
    // A drain that was asked for in the storm ends a run with work left, and an engine that gives up has not looked
    // for any; the next one does it.
    const ended = ![
      "",
      "operator-drain",
      "interrupted",
      "runtime-fault",
      "gate-red-on-base",
      "quota-cap",
    ].includes(world.lastEnd);
    if (ended && isQuiet(world) && landers.every(({ over }) => over)) return;
  }
  throw new Error("the world did not come to rest");
}
