import { operatorWord } from "../core/replies/control/steering.js";
import { leaseAdvice } from "../core/replies/run/run.js";
import type { DecidedEvent } from "../core/run/ledger/decided-event.js";
import { LedgerError } from "../core/run/ledger/ledger-error.js";
import type { LedgerState } from "../core/run/ledger/ledger-state.js";
import { placeOf } from "../core/run/ledger/place-of.js";
import type { RequestAnswer } from "../core/run/ledger/request-answer.js";
import { rollDue } from "../core/run/ledger/roll-due.js";
import type { Slot } from "../core/run/ledger/slot.js";
import { hasAgent } from "../core/run/ledger/slot-groups.js";
import { clippedMax, widthOf } from "../core/run/tick/decide-dispatch.js";
import { decideTick } from "../core/run/tick/tick.js";
import {
  type Effect,
  FRESH_MEMORY,
  type RunEndReason,
  type SlotObservation,
  type Tick,
  type TickFacts,
  type TickMemory,
} from "../core/run/tick/tick-facts.js";
import { UserError } from "../lib/user-error.js";
import type { LedgerView } from "../ports/ledger.js";
import { BaseFetch } from "./base-fetch.js";
import { openSlots, staleRequests } from "./begin-run.js";
import { EffectsUnderWay } from "./effects-under-way.js";
import type { EngineParts, EngineSettings } from "./engine-parts.js";
import { type LeaseFacts, LeaseLost } from "./lease/hold-lease.js";
import { LeaseKeeper } from "./lease/lease-keeper.js";
import { markerOf } from "./marker.js";
import { readWork } from "./read-work.js";
import { reconcileOrphan, releaseStranded } from "./reconcile-orphans.js";
import { Recorder } from "./recorder.js";
import { SlotObservations } from "./slot-observations.js";
import { StaggerNews } from "./stagger-news.js";
import { StallWatch } from "./stall-watch.js";

/**
 * One run of the engine: `begin` takes the lease, `tick` looks, decides and acts, `close` gives the lease back.
 * It keeps nothing that it could not find again: whoever comes after a crash starts from the ledger and a look.
 */
export class Engine {
  readonly #parts: EngineParts;
  readonly #settings: EngineSettings;
  readonly #lease: LeaseKeeper;
  readonly #recorder: Recorder;
  readonly #observations: SlotObservations;
  readonly #stagger: StaggerNews;
  readonly #stalls: StallWatch;
  readonly #base: BaseFetch;
  #watching: Promise<void> | null = null;
  /** When the remote's ledger was last asked for. */
  #askedAt = Number.NEGATIVE_INFINITY;
  /** The attempts this engine has had agents for, by marker. */
  readonly #mine = new Map<string, Slot>();
  readonly #effects: EffectsUnderWay;
  #memory: TickMemory = FRESH_MEMORY;
  #state: LedgerState | null = null;
  /** How often more it is tried to give beads back that no run knows of. */
  #givingBack = 3;
  #run = "";
  #interrupted = false;
  readonly #abort = new AbortController();
  #said = "";
  #wake: () => void = () => {};

  constructor(parts: EngineParts, settings: EngineSettings, isDead: LeaseFacts["isDead"]) {
    this.#parts = parts;
    this.#settings = settings;
    this.#lease = new LeaseKeeper(parts, settings, isDead);
    this.#recorder = new Recorder(parts, settings);
    this.#observations = new SlotObservations(parts);
    this.#base = new BaseFetch(parts, settings.config.poll_seconds * 1000);
    this.#stagger = new StaggerNews(parts, settings);
    this.#stalls = new StallWatch(parts, settings.config.stuck_seconds);
    const context = {
      parts,
      settings,
      observations: this.#observations,
      base: this.#base,
      mayStart: () => this.#lease.isFresh(),
      abort: this.#abort.signal,
    };
    this.#effects = new EffectsUnderWay(context, () => this.#wake());
  }

  get run(): string {
    return this.#run;
  }

  /** Who holds the lease that we wait for. */
  get leaseHolder(): { holder: string; host: string } | null {
    return this.#state?.lease ?? null;
  }

  /** Called whenever something happened that is worth a tick before its time. */
  onWake(wake: () => void): void {
    this.#wake = wake;
  }

  /** Agents are stopped and their beads queued; the run ends when the last one is gone. */
  interrupt(): void {
    this.#interrupted = true;
    this.#parts.report({ kind: "interrupted" });
    this.#abort.abort();
    this.#wake();
  }

  /** Null when the run has begun; else for how long (ms) somebody else's lease has to be waited for. */
  async begin(): Promise<number | null> {
    const { ledger, report } = this.#parts;
    const { resume, runId, config, options } = this.#settings;
    const before = await ledger.refresh();
    if (resume && before.state.run === null) throw UserError.of(leaseAdvice.nothingToResume());
    const stale = staleRequests(before.state, resume);
    const view = await this.#lease.take();
    if (view === null) {
      const after = await ledger.refresh();
      this.#state = after.state;
      return Math.max(1000, this.#lease.remainingMs(after));
    }
    this.#state = view.state;
    this.#run = view.state.run?.id ?? runId;
    for (const { request, at, actor } of stale) report({ kind: "cleared", what: request.verb, at, actor });
    this.#recorder.hear(view.state);
    const width = widthOf({ state: view.state, config, options });
    report({ kind: "run", run: this.#run, resumed: resume, width, clipped: clippedMax(options, config) });
    if (before.state.run?.ended === null) await this.#recorder.retell(view.state);
    if (!resume) await this.#reconcile(view.state);
    await this.#giveBack(this.#state);
    return null;
  }

  async #giveBack(state: LedgerState): Promise<void> {
    const whole = await releaseStranded(state, this.#settings.config.project_id, this.#parts);
    this.#givingBack = whole ? 0 : this.#givingBack - 1;
  }

  /** Looks, decides, starts what was decided. Slow effects go on by themselves and wake us when they end. */
  async tick(): Promise<Tick> {
    await this.#lease.keep();
    const unsure = this.#effects.beads();
    const { state } = await this.#refresh();
    // Whatever took it from us: from here on nothing we write about slots counts.
    if (state.lease?.id !== this.#lease.id) throw new LeaseLost(this.#settings.holder);
    this.#state = state;
    this.#recorder.hear(state);
    if (this.#givingBack > 0) await this.#giveBack(state);
    const [observations, work] = await Promise.all([this.#look(state), this.#work(state)]);
    const tick = decideTick({
      state,
      run: this.#run,
      now: this.#parts.now(),
      config: this.#settings.config,
      options: { ...this.#settings.options, review: state.run?.review ?? false },
      memory: this.#memory,
      observations,
      work,
      interrupted: this.#interrupted,
    });
    this.#stagger.tell(tick);
    this.#memory = tick.memory;
    for (const effect of tick.effects) await this.#act(effect, state, unsure);
    this.#recorder.tell();
    this.#watchStalls(state);
    await this.#share();
    return tick;
  }

  /** Waits for effects that are under way. */
  async settle(): Promise<void> {
    await Promise.all([this.#effects.settled(), this.#recorder.told(), this.#watching]);
  }

  /** Records the end of the run and gives the lease back. */
  async close(reason: RunEndReason, code: number): Promise<void> {
    await this.settle();
    const { holder } = this.#settings;
    const end = { run: this.#run, lease: this.#lease.id, holder, reason, code };
    await this.#recorder.end(this.#state?.requests ?? [], end);
  }

  /** The lease is gone: ends our agents at once, for somebody else may start theirs. The ledger is theirs, too. */
  async abandon(): Promise<void> {
    const { processes, folders, worktrees } = this.#parts;
    this.#abort.abort();
    // Also those that the ledger no longer shows: somebody may have written there that they are gone.
    for (const slot of new Set([...this.#mine.values(), ...this.#active(this.#state ?? { slots: {} })])) {
      await processes.signal(folders.folder(placeOf(slot)), "SIGKILL");
      await processes.sweep(markerOf(slot), worktrees.pathOf(slot.bead));
    }
  }

  async #reconcile(state: LedgerState): Promise<void> {
    for (const slot of openSlots(state).filter(({ run }) => run !== this.#run)) {
      const event = await reconcileOrphan(slot, this.#run, this.#parts);
      if (event !== null) await this.#record([event]);
    }
  }

  /** An unreachable remote is borne for as long as the lease lasts; what is recorded here still counts. */
  async #refresh(): Promise<LedgerView> {
    const { ledger, report, now } = this.#parts;
    const age = now() - this.#askedAt;
    // What is appended on this machine shows without the remote. What others push is looked for as often as
    // the timer ticks, however many ticks there are between: a clock that was set back counts as due.
    if (age >= 0 && age < this.#settings.config.poll_seconds * 1000) return ledger.observe([]);
    this.#askedAt = now();
    try {
      return await ledger.refresh();
    } catch (error) {
      if (!(error instanceof LedgerError) || error.kind !== "unreachable") throw error;
      report({ kind: "trouble", what: error.message });
      return ledger.observe([]);
    }
  }

  /** Shares what is due, and starts a new chain when the current one has grown long. */
  async #share(): Promise<void> {
    const { ledger, report } = this.#parts;
    try {
      await ledger.share("due");
      if (this.#state && rollDue(this.#state)) await ledger.roll(await ledger.refresh());
    } catch (error) {
      if (!(error instanceof LedgerError) || error.kind === "rewound") throw error;
      report({ kind: "trouble", what: error.message });
    }
  }

  async #look(state: LedgerState): Promise<Map<string, SlotObservation>> {
    const looked = Object.values(state.slots).filter(
      (slot) => slot.run === this.#run && (hasAgent(slot) || slot.status === "passed"),
    );
    const probes = new Set(state.pauses.map(({ probe }) => probe));
    const looks = looked.map(async (slot) => {
      const observation = await this.#observations.look(slot, probes.has(slot.bead));
      return [slot.bead, observation] as const;
    });
    return new Map(await Promise.all(looks));
  }

  /** Said once, until it is something else: a tick comes every few seconds. */
  #trouble(what: string): void {
    if (what !== this.#said) this.#parts.report({ kind: "trouble", what });
    this.#said = what;
  }

  /** Null when there is no place for more work anyhow: asking a tracker takes time. */
  async #work(state: LedgerState): Promise<TickFacts["work"]> {
    const full =
      !state.resize?.force && this.#active(state).length >= this.#settings.config.max_concurrent_slots;
    if (this.#interrupted || full) return null;
    try {
      return await readWork(this.#parts.source, this.#settings, state);
    } catch (error) {
      // Agents at work are not ended, nor queued beads given up, because somebody is just editing the backlog.
      const underWay = openSlots(state).some(({ run }) => run === this.#run);
      if (!(error instanceof UserError) || !underWay) throw error;
      this.#trouble(error.message);
      return null;
    }
  }

  #active(state: Pick<LedgerState, "slots">): Slot[] {
    return Object.values(state.slots).filter((slot) => slot.run === this.#run && hasAgent(slot));
  }

  async #act(effect: Effect, state: LedgerState, unsure: ReadonlySet<string>): Promise<void> {
    if (effect.kind === "append") return this.#record(effect.events);
    if (effect.kind === "consume") return this.#recorder.consume(effect.request, effect.answer, this.#run);
    const slot = state.slots[effect.bead];
    if (!slot) return;
    if (effect.kind !== "nudge") {
      const started = this.#effects.start(effect, slot, unsure);
      if (started && effect.kind === "launch") this.#mine.set(markerOf(slot), slot);
      return;
    }
    await this.#recorder.consume(effect.request, await this.#deliver(slot, effect), this.#run);
  }

  /** The inbox lies where the agent can write: what it made of the place is its own loss. */
  async #deliver(slot: Slot, nudge: Extract<Effect, { kind: "nudge" }>): Promise<RequestAnswer> {
    const { request, actor, text } = nudge;
    try {
      await this.#parts.folders.deliver(placeOf(slot), request, operatorWord(actor, text));
      return { code: "delivered" };
    } catch (error) {
      const what = `nudge of ${slot.bead}: ${error instanceof Error ? error.message : String(error)}`;
      this.#parts.report({ kind: "trouble", what });
      return { code: "not-delivered" };
    }
  }

  async #record(events: readonly DecidedEvent[]): Promise<void> {
    this.#state = (await this.#recorder.record(events, this.#lease.id)).state;
  }

  /** Beside the loop: it reads the whole process table, and nobody waits for what it tells. */
  #watchStalls(state: LedgerState): void {
    this.#watching ??= this.#stalls
      .look(this.#active(state))
      .catch((error: unknown) => {
        const what = `looking for stalls: ${error instanceof Error ? error.message : String(error)}`;
        this.#parts.report({ kind: "trouble", what });
      })
      .finally(() => {
        this.#watching = null;
      });
  }
}
