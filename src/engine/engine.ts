import { effectTrouble } from "../core/replies/run/effect-trouble.js";
import { leaseAdvice } from "../core/replies/run/run.js";
import type { DecidedEvent } from "../core/run/ledger/decided-event.js";
import { emptyState, type LedgerState } from "../core/run/ledger/ledger-state.js";
import type { Slot } from "../core/run/ledger/slot.js";
import { hasAgent, isOpen } from "../core/run/ledger/slot-groups.js";
import { clippedMax, isDraining, widthOf } from "../core/run/tick/decide-dispatch.js";
import { takesPlace } from "../core/run/tick/takes-place.js";
import { decideTick } from "../core/run/tick/tick.js";
import {
  type Effect,
  FRESH_MEMORY,
  type RunEndReason,
  type Tick,
  type TickFacts,
  type TickMemory,
} from "../core/run/tick/tick-facts.js";
import { cutText } from "../lib/cut-text.js";
import { UserError } from "../lib/user-error.js";
import { BaseCheck } from "./base/base-check.js";
import { BaseFetch } from "./base/base-fetch.js";
import { openSlots, staleRequests } from "./begin-run.js";
import { deliverNudge } from "./deliver-nudge.js";
import { EffectsUnderWay } from "./effects/effects-under-way.js";
import { killAgent } from "./effects/kill-agent.js";
import type { EngineParts, EngineSettings } from "./engine-parts.js";
import { Troubles } from "./faults/troubles.js";
import { isOutside } from "./faults/whose-fault.js";
import { AgentPlaces } from "./govern/agent-places.js";
import { QuotaWatch } from "./govern/quota-watch.js";
import { type LeaseFacts, LeaseLost } from "./lease/hold-lease.js";
import { LeaseKeeper } from "./lease/lease-keeper.js";
import { markerOf } from "./marker.js";
import { Orphans } from "./orphans.js";
import { readWorkUnless } from "./read-work.js";
import { Recorder } from "./recorder.js";
import { SlotObservations } from "./slot-observations.js";
import { StaggerNews } from "./stagger-news.js";
import { StallWatch } from "./stall-watch.js";
import { WatchedLedger } from "./watched-ledger.js";
import { WorkSaver } from "./work-saver.js";

/** Each goes on to the next, and the last starts an agent. */
const LEAD_TO_AGENT: ReadonlySet<string> = new Set(["claim-bead", "prepare", "launch"]);

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
  readonly #orphans: Orphans;
  readonly #stagger: StaggerNews;
  readonly #stalls: StallWatch;
  readonly #saver: WorkSaver;
  readonly #places: AgentPlaces;
  readonly #quota: QuotaWatch;
  readonly #base: BaseFetch;
  readonly #baseCheck: BaseCheck;
  readonly #ledger: WatchedLedger;
  readonly #troubles: Troubles;
  /** The attempts this engine has had agents for, by marker. */
  readonly #mine = new Map<string, Slot>();
  readonly #effects: EffectsUnderWay;
  #memory: TickMemory = FRESH_MEMORY;
  #state: LedgerState | null = null;
  #run = "";
  #interrupted = false;
  readonly #abort = new AbortController();
  #wake: () => void = () => {};

  constructor(parts: EngineParts, settings: EngineSettings, isDead: LeaseFacts["isDead"]) {
    this.#parts = parts;
    this.#settings = settings;
    this.#troubles = new Troubles(parts.report);
    this.#lease = new LeaseKeeper(parts, settings, isDead, this.#troubles);
    this.#recorder = new Recorder(parts, settings, this.#troubles);
    this.#observations = new SlotObservations(parts);
    this.#orphans = new Orphans(parts, settings.config.project_id);
    this.#base = new BaseFetch(parts, settings.config.poll_seconds * 1000, this.#troubles);
    this.#ledger = new WatchedLedger(parts, settings.config.poll_seconds * 1000, this.#troubles);
    this.#stagger = new StaggerNews(parts, settings);
    this.#stalls = new StallWatch(parts, settings.config.stuck_seconds, this.#troubles);
    this.#quota = new QuotaWatch(parts, settings, this.#troubles);
    this.#saver = new WorkSaver(parts, this.#troubles);
    this.#places = new AgentPlaces(parts, settings, this.#troubles);
    const shared = { parts, settings, base: this.#base, troubles: this.#troubles, abort: this.#abort.signal };
    this.#baseCheck = new BaseCheck(shared, () => this.#wake());
    const context = {
      ...shared,
      observations: this.#observations,
      baseCheck: this.#baseCheck,
      places: this.#places,
      mayStart: () => this.#lease.isFresh(),
    };
    this.#effects = new EffectsUnderWay(context, () => this.#wake());
  }

  get run(): string {
    return this.#run;
  }

  /** The commit that agents start from just now; null before the remote was asked. */
  get base(): string | null {
    return this.#base.known;
  }

  /** As this engine saw it last. */
  get state(): LedgerState {
    return this.#state ?? emptyState();
  }

  get isInterrupted(): boolean {
    return this.#interrupted;
  }

  /** This run's slots as they were last seen. */
  get slots(): readonly Slot[] {
    return Object.values(this.#state?.slots ?? {}).filter(({ run }) => run === this.#run);
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
    const { resume, adopt, runId, config, options } = this.#settings;
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
    if (!resume && !adopt)
      await this.#orphans.reconcile(view.state, this.#run, (event) => this.#record([event]));
    await this.#orphans.giveBack(this.#state);
    return null;
  }

  /** Looks, decides, starts what was decided. Slow effects go on by themselves and wake us when they end. */
  async tick(): Promise<Tick> {
    await this.#lease.keep();
    const accounts = await this.#parts.accounts?.();
    const unsure = this.#effects.beads();
    const { state } = await this.#ledger.refresh();
    // Whatever took it from us: from here on nothing we write about slots counts.
    if (state.lease?.id !== this.#lease.id) throw new LeaseLost(this.#settings.holder);
    this.#state = state;
    this.#recorder.hear(state);
    await this.#orphans.giveBack(state);
    const known = {
      observations: await this.#observations.lookAt(this.slots, state.pauses),
      now: this.#parts.now(),
      config: this.#settings.config,
      options: { ...this.#settings.options, review: state.run?.review ?? false },
    };
    await this.#places.keep(this.slots, known.observations);
    const work = await this.#work(state, known);
    const tick = decideTick({
      ...known,
      state,
      run: this.#run,
      memory: this.#memory,
      failures: this.#effects.failures(Object.values(state.slots)),
      denials: this.#places.denials(),
      baseGate: this.#baseCheck.known(),
      quota: await this.#quota.facts(accounts),
      work,
      interrupted: this.#interrupted,
      accounts,
      contained: this.#settings.contained,
    });
    if (tick.end !== null || isDraining(state)) this.#baseCheck.halt();
    this.#stagger.tell(tick);
    this.#memory = tick.memory;
    for (const effect of tick.effects) await this.#act(effect, state, unsure);
    await this.#places.giveBack();
    this.#recorder.tell();
    this.#stalls.watch(this.#active(state));
    // Whoever is interrupted has time for one push, which comes at the end.
    if (!this.#interrupted) {
      this.#saver.watch(this.#active(state));
      await this.#ledger.share(this.#state);
    }
    this.#troubles.over("tick");
    return tick;
  }

  /**
   * A tick failed. True when that was nobody's fault here, so that it is worth another one: every tick begins with
   * the ledger and a look, whatever the one before came to.
   */
  async outlives(error: unknown): Promise<boolean> {
    if (error instanceof UserError || !(isOutside(error) || !(await this.#parts.canWrite()))) return false;
    const why = error instanceof Error ? error.message : String(error);
    this.#troubles.say("tick", effectTrouble.outside("looking after the run", cutText(why, 500)), "");
    return true;
  }

  /** Waits for effects that are under way. */
  async settle(): Promise<void> {
    await Promise.all([
      this.#effects.settled(),
      this.#baseCheck.settled(),
      this.#recorder.told(),
      this.#stalls.settled(),
      this.#saver.settled(),
      this.#quota.settled(),
    ]);
  }

  /** Records the end of the run and gives the lease back. */
  async close(reason: RunEndReason, code: number): Promise<void> {
    await this.settle();
    await this.#places.leave();
    const { holder } = this.#settings;
    const end = { run: this.#run, lease: this.#lease.id, holder, reason, code };
    await this.#recorder.end(this.#state?.requests ?? [], end, () => this.#share());
  }

  /** With the commits of agents that were stopped: nobody is left to save them later. */
  #share(): Promise<void> {
    return this.#interrupted ? this.#saver.flush(this.slots.filter(isOpen)) : this.#parts.ledger.share("now");
  }

  /** As `close`, and waits for nothing: what is under way is found by the next run, as after a crash. */
  async cutShort(): Promise<void> {
    const { holder } = this.#settings;
    this.#parts.report({ kind: "trouble", what: effectTrouble.overdue() });
    if (this.#lease.id === "") return;
    const end = { run: this.#run, lease: this.#lease.id, holder, reason: "interrupted", code: 0 } as const;
    await this.#recorder.end(this.#state?.requests ?? [], end, () => this.#share());
  }

  /** The lease is gone: ends our agents at once, for somebody else may start theirs. The ledger is theirs, too. */
  async abandon(): Promise<void> {
    this.#abort.abort();
    // Also those that the ledger no longer shows: somebody may have written there that they are gone.
    const slots = new Set([...this.#mine.values(), ...this.#active(this.#state ?? { slots: {} })]);
    await Promise.all([...slots].map((slot) => killAgent(slot, this.#parts, this.#troubles)));
  }

  /** Null when there is no place for more work anyhow: asking a tracker takes time. */
  async #work(state: LedgerState, known: Parameters<typeof takesPlace>[1]): Promise<TickFacts["work"]> {
    const taken = this.slots.filter((slot) => takesPlace(slot, known));
    const full = !state.resize?.force && taken.length >= this.#settings.config.max_concurrent_slots;
    if (this.#interrupted || full) return null;
    const underWay = openSlots(state).some(({ run }) => run === this.#run);
    const { source } = this.#parts;
    return readWorkUnless(underWay, { source, settings: this.#settings, troubles: this.#troubles }, state);
  }

  #active(state: Pick<LedgerState, "slots">): Slot[] {
    return Object.values(state.slots).filter((slot) => slot.run === this.#run && hasAgent(slot));
  }

  async #act(effect: Effect, state: LedgerState, unsure: ReadonlySet<string>): Promise<void> {
    if (effect.kind === "append") return this.#record(effect.events);
    if (effect.kind === "check-base") return this.#baseCheck.start();
    if (effect.kind === "admit") {
      if (!(await this.#places.take(this.#run, effect.asked))) return;
      for (const granted of effect.granted.effects) await this.#act(granted, state, unsure);
      this.#memory = effect.granted.memory;
      return;
    }
    if (effect.kind === "consume") return this.#recorder.consume(effect.request, effect.answer, this.#run);
    const slot = state.slots[effect.bead];
    if (!slot) return;
    if (effect.kind !== "nudge") {
      const started = this.#effects.start(effect, slot, unsure);
      if (started && LEAD_TO_AGENT.has(effect.kind)) this.#mine.set(markerOf(slot), slot);
      return;
    }
    await this.#recorder.consume(effect.request, await deliverNudge(slot, effect, this.#parts), this.#run);
  }

  async #record(events: readonly DecidedEvent[]): Promise<void> {
    this.#state = (await this.#recorder.record(events, this.#lease.id)).state;
  }
}
