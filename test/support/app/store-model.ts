import fc from "fast-check";
import type { Lane } from "../../../src/ports/inbox.js";
import type { HandClock } from "./store.js";

export type InboxStep =
  | { kind: "add"; id: number; lane: Lane; key: string; delay: number }
  | { kind: "take"; lane: Lane }
  | { kind: "end"; which: number; how: "done" | "postpone" | "bury" | "put-back"; delay: number }
  | { kind: "rearm"; id: number }
  | { kind: "rearm-all" }
  | { kind: "reclaim" }
  | { kind: "wait"; ms: number };

// Few names, so that most steps meet a job that is there.
const lane = fc.constantFrom<Lane>("intake", "intake", "intake", "work");
const id = fc.nat({ max: 5 });
const delay = fc.constantFrom(0, 10, 20);

export const inboxSteps: fc.Arbitrary<InboxStep[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant("add" as const),
        id,
        lane,
        key: fc.constantFrom("a", "a", "b"),
        delay,
      }),
    },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant("take" as const), lane }) },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant("end" as const),
        which: fc.nat({ max: 1 }),
        how: fc.constantFrom("done" as const, "postpone" as const, "bury" as const, "put-back" as const),
        delay,
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("rearm" as const), id }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("rearm-all" as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("reclaim" as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.constantFrom(5, 10, 20) }),
    },
  ),
  { maxLength: 40, size: "max" },
);

interface PlainJob {
  readonly id: string;
  readonly lane: Lane;
  readonly key: string;
  state: "waiting" | "in-hand" | "dead" | "done";
  notBefore: number;
  attempt: number;
}

/** The inbox as one would write it without a database: a list, and every question answered by looking at all of it. */
export class PlainInbox {
  readonly #jobs: PlainJob[] = [];
  readonly #clock: HandClock;

  constructor(clock: HandClock) {
    this.#clock = clock;
  }

  apply(step: InboxStep): unknown {
    const now = this.#clock.time;
    switch (step.kind) {
      case "add": {
        if (this.#jobs.some((job) => job.id === `${step.id}`)) return "known";
        const { lane: itsLane, key, delay: wait } = step;
        this.#jobs.push({
          id: `${step.id}`,
          lane: itsLane,
          key,
          state: "waiting",
          notBefore: now + wait,
          attempt: 0,
        });
        return "added";
      }
      case "take": {
        const job = this.#firsts(step.lane).find(({ notBefore }) => notBefore <= now);
        if (!job) return null;
        job.state = "in-hand";
        job.attempt += 1;
        return { id: job.id, attempt: job.attempt };
      }
      case "end": {
        const job = this.#jobs.filter(({ state }) => state === "in-hand")[step.which];
        if (!job) return undefined;
        job.state = step.how === "done" ? "done" : step.how === "bury" ? "dead" : "waiting";
        if (step.how === "postpone") job.notBefore = now + step.delay;
        if (step.how === "put-back") job.attempt -= 1;
        return undefined;
      }
      case "rearm": {
        const job = this.#jobs.find((each) => each.id === `${step.id}`);
        if (!job) return "absent";
        if (job.state === "in-hand" || job.state === "done") return job.state;
        return this.#rearm(job);
      }
      case "rearm-all": {
        const dead = this.#jobs.filter(({ state }) => state === "dead");
        for (const job of dead) this.#rearm(job);
        return dead.map((job) => job.id);
      }
      case "reclaim": {
        const held = this.#jobs.filter(({ state }) => state === "in-hand");
        for (const job of held) job.state = "waiting";
        return held.length;
      }
      case "wait":
        return undefined;
    }
  }

  observations() {
    return this.#jobs
      .filter(({ state }) => state !== "done")
      .map(({ id: name, state, attempt }) => ({ id: name, state, attempt }));
  }

  nextDue(itsLane: Lane): number | null {
    const times = this.#firsts(itsLane).map(({ notBefore }) => notBefore);
    return times.length === 0 ? null : Math.min(...times);
  }

  #rearm(job: PlainJob): "rearmed" {
    if (job.state === "dead") job.attempt = 0;
    job.state = "waiting";
    job.notBefore = 0;
    return "rearmed";
  }

  /** Of each key with nothing in hand, the waiting job that came first. */
  #firsts(itsLane: Lane): PlainJob[] {
    const inLane = this.#jobs.filter((job) => job.lane === itsLane);
    return inLane.filter(
      (job, place) =>
        job.state === "waiting" &&
        !inLane.some(({ key, state }) => key === job.key && state === "in-hand") &&
        !inLane.slice(0, place).some(({ key, state }) => key === job.key && state === "waiting"),
    );
  }
}
