import type { Chance } from "./chance.js";
import { flush, type SimClock } from "./sim-clock.js";

/** Thrown by a port in the middle of a call: the call failed, or its answer got lost. */
export class Hiccup extends Error {}

/** One process. Once it is dead none of its calls to the world ever returns. */
export class Life {
  readonly name: string;
  readonly ended: Promise<void>;
  dead = false;
  #end: () => void = () => {};

  constructor(name: string) {
    this.name = name;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  kill(): void {
    this.dead = true;
    this.#end();
  }
}

/** What may befall a call. */
export interface Weather {
  readonly chance: Chance;
  readonly clock: SimClock;
  /** Of a thousand calls so many end the process or fail, before or after they did what they are for. */
  crashPermille: number;
  /** How many answers are on their way. */
  late: number;
  readonly log: (line: string) => void;
  readonly step: () => void;
  /** Something others do while the call is under way. */
  readonly meanwhile: () => void;
  /** How often, in a hundred, which call takes its time; the engine's own calls unless told. */
  readonly slow?: Readonly<Record<string, number>> | undefined;
}

/** Calls that are over at once: they only compute. */
const PLAIN: ReadonlySet<string> = new Set([
  "folder",
  "agentFolder",
  "home",
  "keyHome",
  "pathOf",
  "watch",
  "digest",
]);
/** How often, in a hundred, a call takes its time, so that others come in between. */
const SLOW: Readonly<Record<string, number>> = {
  sign: 10,
  range: 10,
  signatures: 10,
  rebase: 10,
  squash: 10,
  checkOut: 10,
  pushBase: 30,
  claimBeside: 30,
};

/** How often, in a hundred, what a call found out is old by the time it is told. */
const LATE: Readonly<Record<string, number>> = { status: 10, readPrepared: 10 };
/** How often, in a hundred, a call is over only when the engine looks the next time. */
const LAGGING: Readonly<Record<string, number>> = { start: 20, writeLaunch: 10, prepare: 10, collect: 10 };

/** A port as one process has it: any call may be its last. */
export function fragile<T extends object>(name: string, port: T, life: Life, weather: Weather): T {
  return new Proxy(port, {
    get: (target, key) => {
      const value = Reflect.get(target, key);
      if (typeof value !== "function" || PLAIN.has(String(key)))
        return typeof value === "function" ? value.bind(target) : value;
      return (...args: unknown[]) =>
        call(() => value.apply(target, args), `${name}.${String(key)}`, life, weather);
    },
  });
}

async function call(work: () => Promise<unknown>, where: string, life: Life, weather: Weather) {
  const name = where.slice(where.indexOf(".") + 1);
  const slow = (weather.slow ?? SLOW)[name] ?? 0;
  weather.step();
  await befall(`before ${where}`, slow, life, weather);
  const answer = await work();
  if (weather.chance.percent(LAGGING[name] ?? 0)) await rounds(weather);
  if (weather.chance.percent(LATE[name] ?? 0)) await late(weather);
  await befall(`after ${where}`, slow, life, weather);
  return answer;
}

/** Effects go on meanwhile, but no time passes. */
async function late(weather: Weather): Promise<void> {
  weather.late += 1;
  await rounds(weather);
  weather.late -= 1;
}

async function rounds({ chance }: Weather): Promise<void> {
  for (let left = 1 + chance.below(5); left > 0; left -= 1) await flush();
}

async function befall(where: string, slowPercent: number, life: Life, weather: Weather): Promise<void> {
  const { chance, clock } = weather;
  if (!life.dead && weather.crashPermille > 0 && chance.below(1000) < weather.crashPermille) {
    const dies = chance.percent(50);
    weather.log(`${dies ? "CRASH" : "FAILURE"} of ${life.name} ${where}`);
    if (!dies) throw new Hiccup(where);
    life.kill();
  }
  if (slowPercent > 0 && !life.dead) {
    if (chance.percent(slowPercent)) await clock.pause((1 + chance.below(30)) * 1000);
    if (chance.percent(3)) weather.meanwhile();
  }
  if (life.dead) await new Promise(() => {});
}
