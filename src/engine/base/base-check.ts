import type { RunningCommand } from "../../core/land/land-progress.js";
import { effectTrouble } from "../../core/replies/run/effect-trouble.js";
import type { BaseGate } from "../../core/run/tick/base-gate.js";
import { type EffectFailure, isGivenUp } from "../../core/run/tick/effect-failure.js";
import { askBase, recallBase } from "../../landing/ask-base.js";
import { gateSettings } from "../../landing/land-next.js";
import { cutText } from "../../lib/cut-text.js";
import type { GateAnswer } from "../../ports/gate.js";
import type { EngineParts, EngineSettings } from "../engine-parts.js";
import type { Troubles } from "../faults/troubles.js";
import { whoseFault } from "../faults/whose-fault.js";
import type { BaseFetch } from "./base-fetch.js";

export interface BaseCheckContext {
  readonly parts: EngineParts;
  readonly settings: EngineSettings;
  readonly base: BaseFetch;
  readonly troubles: Troubles;
  /** The run is being ended. */
  readonly abort: AbortSignal;
}

const ABOUT = "trying the gate on the default branch";
const UNASKED: BaseGate = { kind: "unknown", failure: null };
const LONGEST_REASON = 500;

/**
 * Whether the default branch that agents start from passes the gate itself. Asked once in a run: what the run lands has
 * passed the gate, and what others push is looked into when a landing is red.
 */
export class BaseCheck {
  readonly #context: BaseCheckContext;
  readonly #wake: () => void;
  #known: BaseGate = UNASKED;
  #underWay: { readonly done: Promise<void>; readonly halt: AbortController } | null = null;
  #broken: { readonly error: unknown } | null = null;

  constructor(context: BaseCheckContext, wake: () => void) {
    this.#context = context;
    this.#wake = wake;
  }

  /** Undefined where nobody has to know. Throws when it could not be found out, for a reason that will not pass. */
  known(): BaseGate | undefined {
    const { config, options } = this.#context.settings;
    if (options.allowRedBase || config.gate.length === 0) return undefined;
    if (this.#broken !== null) throw this.#broken.error;
    return this.#known;
  }

  /** Goes on by itself and wakes the engine at its end; nothing where it is under way. */
  start(): void {
    if (this.#underWay !== null) return;
    const halt = new AbortController();
    const done = this.#check(AbortSignal.any([halt.signal, this.#context.abort])).finally(() => {
      this.#underWay = null;
    });
    this.#underWay = { done, halt };
  }

  /** Nobody wants to know any more. */
  halt(): void {
    this.#underWay?.halt.abort();
  }

  /** Something has landed, which passed the gate: what was wrong with the default branch may be mended. */
  moved(): void {
    if (this.#known.kind === "red") this.doubt();
  }

  /** A landing found the default branch red: whoever would be dispatched next has it looked at first. */
  doubt(): void {
    this.#context.base.forget();
    this.#known = UNASKED;
  }

  async settled(): Promise<void> {
    await this.#underWay?.done;
  }

  async #check(abort: AbortSignal): Promise<void> {
    const { parts, troubles } = this.#context;
    try {
      const found = await this.#ask(abort);
      if (found === null) return;
      this.#known = found;
      troubles.over(ABOUT);
    } catch (error) {
      const why = cutText(error instanceof Error ? error.message : String(error), LONGEST_REASON);
      const fault = await whoseFault(error, "check-base", parts);
      const outside = fault === "outside";
      troubles.say(ABOUT, outside ? effectTrouble.outside(ABOUT, why) : effectTrouble.own(ABOUT, why), fault);
      const before = this.#known.kind === "unknown" ? this.#known.failure : null;
      const tries = before?.fault === fault ? before.tries + 1 : 1;
      const failure: EffectFailure = { effect: "check-base", why, fault, tries, at: parts.now() };
      this.#known = { kind: "unknown", failure };
      if (isGivenUp(failure)) this.#broken = { error };
    }
    this.#wake();
  }

  /** Null when nothing is known: it was stopped, or another process of this machine has its gate under way. */
  async #ask(abort: AbortSignal): Promise<BaseGate | null> {
    const { parts, base, settings } = this.#context;
    const head = await orAborted(base.tip(), abort);
    if (head === null) return null;
    const gate = gateSettings({ parts, settings });
    // What was red may have met a bad day: whoever starts another run wants to know how it is now.
    const question = { head, accept: "green", abort } as const;
    const known = await recallBase(parts.gate, gate, question);
    if (known !== null) return this.#heard(head, known);
    const turn = abort.aborted ? null : await parts.landTurn();
    if (turn?.kind !== "ours") return null;
    const onCommand = (running: RunningCommand) => {
      turn.tell({ by: "run", bead: null, running });
      parts.report({ kind: "base-command", running });
    };
    try {
      turn.tell({ by: "run", bead: null });
      parts.report({ kind: "base-gate", head, red: null });
      return this.#heard(head, await askBase(parts, gate, { ...question, onCommand }));
    } finally {
      parts.report({ kind: "base-command", running: null });
      await turn.release();
    }
  }

  #heard(head: string, answer: GateAnswer): BaseGate | null {
    if (answer.kind !== "red") return answer.kind === "green" ? answer : null;
    const { kind, command, code, output } = answer;
    this.#context.parts.report({ kind: "base-gate", head, red: command });
    return { kind, head, command, code, output };
  }
}

/** A remote that does not answer keeps nobody who wants to end. */
function orAborted<T>(asked: Promise<T>, abort: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    if (abort.aborted) resolve(null);
    abort.addEventListener("abort", () => resolve(null), { once: true, signal: over.signal });
    asked.then(resolve, reject).finally(() => over.abort());
  });
}
