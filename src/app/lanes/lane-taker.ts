import { setTimeout as pause } from "node:timers/promises";
import { neverAnswered } from "../../core/replies/app/inbox.js";
import type { Inbox, Job, Lane } from "../../ports/inbox.js";
import { failureText, judgeFailure, refuseTake } from "./lane-failure.js";

export interface JobEnd {
  /** `overdue` is not the end yet: the job has stepped aside for others, and how it ends is told as well. */
  readonly kind: "done" | "postponed" | "buried" | "put-back" | "overdue";
  readonly ms: number;
  /** What the handler threw; absent when it returned. */
  readonly error?: unknown;
}

export interface LaneParts {
  readonly inbox: Inbox;
  /** The job is done when it returns. What it throws decides whether and when it is tried again: `judgeFailure`. */
  handle(job: Job, signal: AbortSignal): Promise<void>;
  /** After so many milliseconds a job steps aside, and others are taken in its place. */
  readonly limitMs: Readonly<Record<Lane, number>>;
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly chance: () => number;
  onEnd(job: Job, end: JobEnd): void;
  /** The inbox itself failed; it is asked again. */
  onTrouble(error: unknown): void;
}

/** Another process may have rearmed a job. */
const LOOK_MS = 1000;
const SHORTEST_MS = 10;
/**
 * A job that has stepped aside keeps its own thread for so many times its limit: its handler may still be at work, and
 * two at once would answer twice. One that is silent for longer never comes back.
 */
const GIVEN_UP_AFTER = 5;
/** What handlers get to put down what they have, once they are told to. */
const ABORT_MS = 1000;

/** Takes the jobs of one lane as they become due, so many at once and no more. */
export class LaneTaker {
  readonly #lane: Lane;
  readonly #width: number;
  readonly #parts: LaneParts;
  readonly #inHand = new Map<Job, Promise<void>>();
  /** Those of them that have stepped aside. */
  readonly #overdue = new Set<Job>();
  readonly #abort = new AbortController();
  #looking: Promise<void> | null = null;
  #lookAgain = false;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  /** Whatever handlers still do is no longer written down: their jobs were given back. */
  #givenUp = false;

  constructor(lane: Lane, width: number, parts: LaneParts) {
    this.#lane = lane;
    this.#width = width;
    this.#parts = parts;
  }

  /** There may be something to take. */
  wake(): void {
    this.#lookAgain = true;
    if (this.#stopped || this.#looking !== null) return;
    this.#looking = this.#look().finally(() => {
      this.#looking = null;
      if (this.#lookAgain) this.wake();
    });
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
    await within(graceMs, this.#inHand.values());
    this.#abort.abort();
    await within(ABORT_MS, this.#inHand.values());
    this.#givenUp = true;
    for (const job of this.#inHand.keys()) await this.#write(() => this.#parts.inbox.putBack(job));
  }

  async #look(): Promise<void> {
    const { inbox, now, onTrouble } = this.#parts;
    clearTimeout(this.#timer);
    let wait = LOOK_MS;
    try {
      while (this.#lookAgain && !this.#stopped) {
        this.#lookAgain = false;
        await this.#takeAll();
        const due = this.#isFull() ? null : await inbox.nextDue(this.#lane);
        wait = due === null ? LOOK_MS : Math.min(LOOK_MS, Math.max(SHORTEST_MS, due - now()));
      }
    } catch (error) {
      this.#lookAgain = false;
      onTrouble(error);
    }
    if (!this.#stopped) this.#timer = setTimeout(() => this.wake(), wait);
  }

  async #takeAll(): Promise<void> {
    const { inbox, now } = this.#parts;
    while (!this.#stopped && !this.#isFull()) {
      const job = await inbox.take(this.#lane, now());
      if (job === null) return;
      if (this.#stopped) return inbox.putBack(job);
      const ended = this.#see(job)
        .catch(this.#parts.onTrouble)
        .finally(() => {
          this.#inHand.delete(job);
          this.#overdue.delete(job);
          this.wake();
        });
      this.#inHand.set(job, ended);
    }
  }

  #isFull(): boolean {
    return this.#inHand.size - this.#overdue.size >= this.#width;
  }

  async #see(job: Job): Promise<void> {
    const { now, onEnd } = this.#parts;
    const began = now();
    let end: Omit<JobEnd, "ms">;
    try {
      const refused = refuseTake(job);
      if (refused !== null) throw refused;
      await this.#handle(job);
      end = { kind: "done" };
      await this.#write(() => this.#parts.inbox.done(job));
    } catch (error) {
      end = { kind: await this.#fail(job, error), error };
    }
    if (!this.#givenUp) onEnd(job, { ...end, ms: now() - began });
  }

  /** Throws when the handler is not heard of any more. */
  async #handle(job: Job): Promise<void> {
    const { handle, limitMs, onEnd } = this.#parts;
    const ms = limitMs[this.#lane];
    const over = new AbortController();
    const left = async (): Promise<never> => {
      await pause(ms, undefined, { signal: over.signal });
      this.#overdue.add(job);
      onEnd(job, { kind: "overdue", ms });
      this.wake();
      await pause(ms * (GIVEN_UP_AFTER - 1), undefined, { signal: over.signal });
      throw new Error(neverAnswered((ms * GIVEN_UP_AFTER) / 1000));
    };
    try {
      await Promise.race([handle(job, this.#abort.signal), left()]);
    } finally {
      over.abort();
    }
  }

  async #fail(job: Job, error: unknown): Promise<JobEnd["kind"]> {
    const { inbox, now, chance } = this.#parts;
    if (this.#abort.signal.aborted) {
      await this.#write(() => inbox.putBack(job));
      return "put-back";
    }
    const verdict = judgeFailure(job, error, { now: now(), chance: chance() });
    if (verdict.kind === "bury") {
      await this.#write(() => inbox.bury(job, failureText(error)));
      return "buried";
    }
    const counted = verdict.counted ? job : { ...job, attempt: job.attempt - 1 };
    await this.#write(() => inbox.postpone(counted, verdict.notBefore, failureText(error)));
    return "postponed";
  }

  /** Again until it is written; a job that is not written down by the end is waiting when the inbox is next opened. */
  async #write(act: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await act();
      } catch (error) {
        this.#parts.onTrouble(error);
        if (this.#stopped) return;
        await pause(LOOK_MS);
      }
    }
  }
}

async function within(ms: number, work: Iterable<Promise<void>>): Promise<void> {
  const timer = new AbortController();
  try {
    await Promise.race([Promise.all(work), pause(ms, undefined, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}
