import type { AgentLease } from "../../core/govern/agent-lease.js";
import type { ProcessIdentity } from "../../core/model/process-identity.js";
import type { Slot } from "../../core/run/ledger/slot.js";
import { hasAgent } from "../../core/run/ledger/slot-groups.js";
import { agentNeeds } from "../../core/run/plan/agent-needs.js";
import { type Denied, deniedUntil, type PlaceAsked, placeFor } from "../../core/run/tick/admission.js";
import { agentEnding } from "../../core/run/tick/agent-ending.js";
import type { SlotObservation } from "../../core/run/tick/tick-facts.js";
import { UserError } from "../../lib/user-error.js";
import type { AgentWish, EndedAgent } from "../../ports/govern/governor.js";
import type { EngineParts, EngineSettings } from "../engine-parts.js";
import type { Troubles } from "../faults/troubles.js";
import { markerOf } from "../marker.js";
import { DenialNews } from "./denial-news.js";

/**
 * The places of this engine's agents on the machine. Each is taken before the agent's dispatch is recorded, tied to the
 * agent's process once that runs, and given back when it has ended. Whatever a crash leaves undone is seen and done by
 * the next look, or by another engine, which finds the process of a lease dead.
 */
export class AgentPlaces {
  readonly #parts: EngineParts;
  readonly #settings: EngineSettings;
  readonly #troubles: Troubles;
  readonly #news: DenialNews;
  /** Attempts whose end was told, by marker. */
  readonly #ended = new Set<string>();
  /** Ends that the machine's record does not have yet: the next agent's place is asked for with them. */
  #untold: readonly EndedAgent[] = [];
  #denials: readonly Denied[] = [];

  constructor(parts: EngineParts, settings: EngineSettings, troubles: Troubles) {
    this.#parts = parts;
    this.#settings = settings;
    this.#troubles = troubles;
    this.#news = new DenialNews(parts.report);
  }

  /** What was asked for in vain, and need not be asked again yet. */
  denials(): readonly Denied[] {
    const now = this.#parts.now();
    // A clock that was set back makes nobody wait for longer than a look lasts.
    const latest = now + this.#settings.config.poll_seconds * 1000;
    this.#denials = this.#denials.filter(({ until }) => until > now && until <= latest);
    return this.#denials;
  }

  /** Takes the place of an agent of this run; false when there is none now. */
  async take(run: string, asked: PlaceAsked): Promise<boolean> {
    const untold = this.#untold;
    const answer = await this.#parts.governor.admit(this.#wish({ ...asked, run }), untold);
    if (answer.kind === "granted" || answer.why.code !== "governor_unavailable") this.#told(untold);
    if (answer.kind === "granted") {
      this.#news.granted(asked);
      return true;
    }
    const now = this.#parts.now();
    const until = deniedUntil(answer.why, now, this.#settings.config.poll_seconds);
    this.#denials = [...this.#denials, { asked, why: answer.why, until }];
    this.#news.denied(asked, answer.why);
    return false;
  }

  /** The same for a slot that was dispatched before: an engine that died in between may have lost its place. */
  async takeAgain(slot: Slot): Promise<boolean> {
    return (await this.#has(slot)) || (await this.take(slot.dispatchedBy, placeFor(slot)));
  }

  /** Whether this process holds what the slot's agent needs. Reading that takes no lock, and nobody else gives it back. */
  async #has(slot: Slot): Promise<boolean> {
    const { governor } = this.#parts;
    const { pool, resources } = placeFor(slot);
    const held = await governor.held(this.#settings.config.project_id).catch((error: unknown) => {
      if (error instanceof UserError) return [];
      throw error;
    });
    const own = held.find((lease) => isOf(lease, slot) && isSame(lease.process, governor.self));
    return own?.pool === pool && resources.every((kind) => own.resources.includes(kind));
  }

  /**
   * Has the machine's record say what is seen of the run's agents. Those that have ended are noted, for `take` or
   * `giveBack` to tell. What cannot be written now is by a later look.
   */
  keep(slots: readonly Slot[], seen: ReadonlyMap<string, SlotObservation>): Promise<void> {
    return this.#explained(() => this.#keep(slots.filter(hasAgent), seen));
  }

  /** Gives back the places of agents that have ended, unless that was told as another one's was taken. */
  async giveBack(): Promise<void> {
    const untold = this.#untold;
    if (untold.length === 0) return;
    await this.#explained(async () => {
      await this.#parts.governor.end(untold);
      this.#told(untold);
    });
  }

  async #explained(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#troubles.over("governor");
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.#troubles.say("governor", error.message);
    }
  }

  #told(ended: readonly EndedAgent[]): void {
    this.#untold = this.#untold.filter((each) => !ended.includes(each));
  }

  async #keep(manned: readonly Slot[], seen: ReadonlyMap<string, SlotObservation>): Promise<void> {
    const { governor } = this.#parts;
    const held = await governor.held(this.#settings.config.project_id);
    for (const slot of manned) {
      const process = seen.get(slot.bead)?.process;
      if (process?.kind === "ended" && !this.#ended.has(markerOf(slot))) {
        this.#untold = [...this.#untold, { agent: this.#wishOf(slot), how: agentEnding(process.end) }];
        this.#ended.add(markerOf(slot));
        this.#denials = [];
      }
      if (process?.kind !== "alive") continue;
      const lease = held.find((each) => isOf(each, slot));
      if (lease === undefined || !isSame(lease.process, process.identity))
        await governor.attach({ ...this.#wishOf(slot), process: process.identity });
    }
    // Taken for a dispatch that was never recorded, or whose agent was never started.
    const idle = held.filter(
      (lease) => isSame(lease.process, governor.self) && !manned.some((slot) => isOf(lease, slot)),
    );
    if (idle.length === 0) return;
    await governor.end(idle.map((agent) => ({ agent, how: "failed" })));
    this.#denials = [];
  }

  /** Gives back what no agent holds: the run is over. */
  async leave(): Promise<void> {
    try {
      await this.#parts.governor.leave(this.#settings.config.project_id);
    } catch (error) {
      // The process is about to end, and with it what it held.
      if (!(error instanceof UserError)) throw error;
    }
  }

  #wishOf(slot: Slot): AgentWish {
    return this.#wish({ ...placeFor(slot), run: slot.dispatchedBy });
  }

  #wish({ run, bead, attempt, pool, resources }: PlaceAsked & { readonly run: string }): AgentWish {
    const { config } = this.#settings;
    return {
      ...{ project: config.project_id, bead, attempt, pool },
      folder: this.#parts.folders.folder({ run, bead, attempt }),
      ...agentNeeds(config, resources),
    };
  }
}

function isOf(lease: AgentLease, { bead, attempt }: Slot): boolean {
  return lease.bead === bead && lease.attempt === attempt;
}

function isSame(a: ProcessIdentity, b: ProcessIdentity): boolean {
  return a.pid === b.pid && a.start === b.start && a.boot === b.boot;
}
