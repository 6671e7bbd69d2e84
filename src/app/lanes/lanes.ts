import { LANES, type Lane } from "../../ports/inbox.js";
import { type LaneParts, LaneTaker } from "./lane-taker.js";

type Needed = "inbox" | "handle";

export type LanesParts = Pick<LaneParts, Needed> & Partial<Omit<LaneParts, Needed>>;

/** Intake answers people within seconds; every call it makes has a limit of its own, a minute at most. */
const LIMIT_MS: Readonly<Record<Lane, number>> = {
  ...{ intake: 120_000, landing: 1_800_000, work: 3_600_000 },
  /** A reviewer has a limit of its own, twenty minutes unless a project says otherwise. */
  analysis: 7_200_000,
};

/** How many at once. */
const AT_ONCE: Readonly<Record<Lane, number>> = { intake: 8, landing: 4, work: 4, analysis: 2 };

/** Takes jobs from the inbox and has them handled. No lane waits for another. */
export class Lanes {
  readonly #takers: ReadonlyMap<Lane, LaneTaker>;
  #running = false;

  constructor(parts: LanesParts) {
    const whole: LaneParts = {
      limitMs: LIMIT_MS,
      now: Date.now,
      chance: Math.random,
      onEnd: () => {},
      onTrouble: () => {},
      ...parts,
    };
    this.#takers = new Map(LANES.map((lane) => [lane, new LaneTaker(lane, AT_ONCE[lane], whole)]));
  }

  get running(): boolean {
    return this.#running;
  }

  start(): void {
    this.#running = true;
    this.wake();
  }

  /** After something was added. Nothing is taken before `start`. */
  wake(lane?: Lane): void {
    if (!this.#running) return;
    for (const [name, taker] of this.#takers) if (lane === undefined || lane === name) taker.wake();
  }

  /** Takes no more, waits for what is in hand, and gives back what is not finished in time. */
  async stop(graceMs: number): Promise<void> {
    this.#running = false;
    await Promise.all([...this.#takers.values()].map((taker) => taker.stop(graceMs)));
  }
}
