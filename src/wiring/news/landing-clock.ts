import type { LandHolder, RunningCommand } from "../../core/land/land-progress.js";
import {
  holderStepText,
  runningText,
  stillRunningText,
  waitingText,
} from "../../core/replies/land/landing-clock.js";
import { unmetText } from "../../core/replies/land/pull/pull-terminal.js";
import type { EngineNews } from "../../engine/engine-parts.js";
import { nextWordAfter } from "../../lib/growing-times.js";
import { durationText } from "../../lib/time-text.js";

/** Stands where a bead does, for the gate before the first agent. */
export const DEFAULT_BRANCH = "default branch";

/** What a landing cannot go on without. */
type Wait =
  | { readonly kind: "gate"; readonly running: RunningCommand }
  | { readonly kind: "turn"; readonly behind: LandHolder }
  | { readonly kind: "others"; readonly text: string };

interface Timed {
  readonly wait: Wait;
  readonly key: string;
  readonly since: number;
  timer: NodeJS.Timeout | null;
}

/**
 * Knows what landings wait for, and since when. Where nobody draws that, it says it when it begins, when it changes,
 * and again at growing intervals.
 */
export class LandingClock {
  readonly #say: ((bead: string, text: string) => void) | null;
  readonly #waits = new Map<string, Timed>();

  /** `say` of null means that somebody draws what `of` tells. */
  constructor(say: ((bead: string, text: string) => void) | null) {
    this.#say = say;
  }

  /** Whether the clock tells it; all other news are somebody else's to tell. */
  hear(news: EngineNews): boolean {
    if (news.kind === "base-command") {
      if (news.running !== null) return this.#begin(DEFAULT_BRANCH, { kind: "gate", running: news.running });
      this.#end(DEFAULT_BRANCH);
      return true;
    }
    if (news.kind === "waiting") return this.#begin(news.bead, { kind: "turn", behind: news.behind });
    if (news.kind === "unmet") return this.#begin(news.bead, { kind: "others", text: unmetText(news.unmet) });
    if (news.kind === "landing" && news.step.kind === "command")
      return this.#begin(news.bead, { kind: "gate", running: news.step });
    if (news.kind === "landing" || news.kind === "landed" || news.kind === "refused") this.#end(news.bead);
    return news.kind === "landing" && news.step.kind === "begun";
  }

  /** What a bead's landing waits for just now, in short lines; none when it waits for nothing. */
  of(bead: string, now: number): string[] {
    const timed = this.#waits.get(bead);
    if (timed === undefined) return [];
    const { wait, since } = timed;
    if (wait.kind === "gate") return [stillRunningText(wait.running, now)];
    if (wait.kind === "others") return [`${durationText(now - since)}: ${wait.text}`];
    const step = holderStepText(wait.behind.work, now);
    return [waitingText(wait.behind), ...(step === null ? [] : [step])];
  }

  stop(): void {
    for (const bead of [...this.#waits.keys()]) this.#end(bead);
  }

  #begin(bead: string, wait: Wait): true {
    const key = JSON.stringify(wait);
    if (this.#waits.get(bead)?.key === key) return true;
    this.#end(bead);
    const now = Date.now();
    const timed: Timed = { wait, key, since: wait.kind === "gate" ? wait.running.since : now, timer: null };
    this.#waits.set(bead, timed);
    if (this.#say === null) return true;
    this.#say(bead, this.#first(bead, wait, now));
    this.#sayLater(bead, timed);
    return true;
  }

  #first(bead: string, wait: Wait, now: number): string {
    if (wait.kind === "gate") return runningText(wait.running);
    return wait.kind === "others" ? wait.text : this.of(bead, now).join("; ");
  }

  #sayLater(bead: string, timed: Timed): void {
    const elapsed = Date.now() - timed.since;
    timed.timer = setTimeout(() => {
      this.#say?.(bead, this.of(bead, Date.now()).join("; "));
      this.#sayLater(bead, timed);
    }, nextWordAfter(elapsed) - elapsed).unref();
  }

  #end(bead: string): void {
    const timer = this.#waits.get(bead)?.timer;
    if (timer) clearTimeout(timer);
    this.#waits.delete(bead);
  }
}
