import type { DecidedEvent } from "../core/run/ledger/decided-event.js";
import { LedgerError } from "../core/run/ledger/ledger-error.js";
import type { ControlRequest, LedgerState } from "../core/run/ledger/ledger-state.js";
import { manifestOf } from "../core/run/ledger/manifest.js";
import { placeOf } from "../core/run/ledger/place-of.js";
import type { RequestAnswer } from "../core/run/ledger/request-answer.js";
import type { Slot } from "../core/run/ledger/slot.js";
import type { LedgerView } from "../ports/ledger.js";
import { endRun, type RunEnd } from "./end-run.js";
import type { EngineNews, EngineParts, EngineSettings } from "./engine-parts.js";
import type { Troubles } from "./faults/troubles.js";
import { answerNews, newsOf, steeringNews } from "./news.js";
import { tellSource } from "./tell-source.js";
import { consumedEvent, wordEvent } from "./word-event.js";

/** Writes to the ledger first, and tells everybody else after. */
export class Recorder {
  readonly #parts: EngineParts;
  readonly #settings: EngineSettings;
  /** Slots whose present state has not been told yet. */
  readonly #untold = new Map<string, Slot>();
  #telling: Promise<void> | null = null;
  /** The ledger as of what is to be told; null before there is anything. */
  #told: LedgerState | null = null;
  /** The words of people that were told, or are from before this run; null until somebody looked. */
  #heard: ReadonlySet<string> | null = null;

  readonly #troubles: Troubles;

  constructor(parts: EngineParts, settings: EngineSettings, troubles: Troubles) {
    this.#parts = parts;
    this.#settings = settings;
    this.#troubles = troubles;
  }

  /** Under our lease: should it be gone by the time this is shared, it counts for nothing. */
  async record(decided: readonly DecidedEvent[], lease: string): Promise<LedgerView> {
    const events = decided.map(wordEvent);
    const view = await this.#parts.ledger.observe(events.map((event) => ({ ...event, lease })));
    this.#told = view.state;
    for (const event of events) {
      const slot = event.bead === undefined ? undefined : view.state.slots[event.bead];
      const news = newsOf(event, this.#parts.now(), slot);
      if (news) this.#parts.report(withHold(news, view.state));
    }
    for (const { bead } of events) {
      const slot = bead === undefined ? undefined : view.state.slots[bead];
      if (slot) this.#untold.set(slot.bead, slot);
    }
    this.tell();
    return view;
  }

  /** Takes a control request off the ledger. A lost claim is no harm: the next tick sees what is left. */
  async consume(request: string, answer: RequestAnswer, run: string): Promise<void> {
    try {
      await this.#consume(request, answer, run);
      this.#troubles.over("requests");
    } catch (error) {
      // It stays on the ledger, and its agent at work.
      if (!(error instanceof LedgerError) || error.kind !== "unreachable") throw error;
      this.#troubles.say("requests", error.message, error.kind);
    }
  }

  async #consume(request: string, answer: RequestAnswer, run: string): Promise<void> {
    const { ledger } = this.#parts;
    const view = await ledger.refresh();
    const asked = view.state.requests.find(({ id }) => id === request);
    if (asked === undefined) return;
    const { kind } = await ledger.claim([consumedEvent(request, answer, run)], view);
    const news = kind === "won" ? answerNews(asked, answer) : null;
    if (news) this.#parts.report(news);
  }

  /** Ends the run, and with it what was asked of it alone; `share` sends it to everybody. */
  async end(requests: readonly ControlRequest[], end: RunEnd, share: () => Promise<void>): Promise<void> {
    const { ledger, report } = this.#parts;
    await ledger.observe(endRun(requests, end));
    for (const asked of requests.filter(({ request }) => request.verb === "inject")) {
      const news = answerNews(asked, { code: "run-ended" });
      if (news) report(news);
    }
    await share();
  }

  /** Tells whoever watches what people said since the last look. Of two machines' words the later may show first. */
  hear({ steered, holds }: LedgerState): void {
    const heard = this.#heard;
    this.#heard = new Set(steered.map(({ id }) => id));
    if (heard === null) return;
    for (const said of steered) if (!heard.has(said.id)) this.#parts.report(steeringNews(said, holds));
  }

  /** Tells the work source again what became of beads: an engine that was cut off may have recorded it only. */
  async retell(state: LedgerState): Promise<void> {
    for (const slot of Object.values(state.slots)) await this.#tell(slot, state);
  }

  /**
   * Tells the work source and the slot's folder what is recorded, beside whatever else goes on: the next agent
   * need not wait for a comment. Both may be told again, and what fails is told with the next call.
   */
  tell(): void {
    this.#telling ??= this.#tellAll().finally(() => {
      this.#telling = null;
    });
  }

  /** Waits until all is told, or could not be. */
  async told(): Promise<void> {
    await this.#telling;
  }

  async #tellAll(): Promise<void> {
    for (let [slot] = this.#untold.values(); slot; [slot] = this.#untold.values()) {
      try {
        await this.#follow(slot);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        this.#troubles.say("telling", `telling of ${slot.bead}: ${why}`, "");
        return;
      }
      this.#troubles.over("telling");
      if (this.#untold.get(slot.bead) === slot) this.#untold.delete(slot.bead);
    }
  }

  async #follow(slot: Slot): Promise<void> {
    const { folders, worktrees } = this.#parts;
    const manifest = manifestOf(slot, this.#settings.config, worktrees.pathOf(slot.bead));
    await folders.writeManifest(placeOf(slot), manifest);
    if (this.#told !== null) await this.#tell(slot, this.#told);
  }

  #tell(slot: Slot, state: LedgerState): Promise<void> {
    const { source, now } = this.#parts;
    return tellSource(source, slot, { state, now: now() });
  }
}

function withHold(news: EngineNews, { holds }: Pick<LedgerState, "holds">): EngineNews {
  return news.kind === "queued" && holds[news.bead] !== undefined ? { ...news, held: true } : news;
}
