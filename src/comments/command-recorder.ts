import type { Command } from "../core/commands/command.js";
import { requestOutcome } from "../core/control/request-outcome.js";
import { type CommentJob, commentKey, commentRef } from "../core/model/comment-job.js";
import { commentRefusals } from "../core/replies/commands/comment-refusals.js";
import { type Refused, type ReplyRow, refusedRow, rowOf } from "../core/replies/commands/reply-row.js";
import { pullReplies, pullReplyRefusal } from "../core/replies/land/pull/pull-replies.js";
import { analysisReplies } from "../core/replies/review/analysis-replies.js";
import type { LedgerEvent, NewEvent } from "../core/run/ledger/ledger-event.js";
import { isSameEvent } from "../core/run/ledger/same-event.js";
import type { LedgerTail } from "../ports/ledger.js";
import type { CommandParts, OpenedProject, UsableProject } from "./command-parts.js";
import type { CommentCheck } from "./comment-check.js";
import { fitsCommand } from "./fits-command.js";
import type { PullEffect } from "./pull-verbs.js";
import { signedEvent } from "./signed-event.js";

/** What can have come between a command and its record. */
const MOST_RECENT = 50;

export interface CommandPlace {
  readonly opened: UsableProject;
  /** Which of the comment's commands it is. */
  readonly place: number;
}

/**
 * What is remembered of a command before it is recorded in the ledger. It is stored, so older ones are read as well:
 * they have one `event`.
 */
export interface Recorded {
  readonly kind: "append";
  readonly events: readonly NewEvent[];
  readonly done: boolean;
  /** In markdown. */
  readonly said: string;
  /** Somebody looks later what an engine made of it. */
  readonly awaited?: boolean;
  /** What follows for a pull request, once it is on record. */
  readonly effect?: PullEffect;
}

/** More than a chain holds. */
const ALL = 1_000_000;

/** The name of an event under which the ledger has something else; null where each is what was written. */
async function takenName(ledger: LedgerTail, events: readonly NewEvent[]): Promise<string | null> {
  if (events.length === 0) return null;
  const recent = await ledger.recent(MOST_RECENT);
  for (const event of events) {
    const isIt = ({ id }: LedgerEvent) => id === event.id;
    // What an earlier try has written may lie far back.
    const found = recent.find(isIt) ?? (await ledger.recent(ALL)).find(isIt);
    if (found === undefined || !isSameEvent(event, found)) return event.id ?? "";
  }
  return null;
}

/** Brings what a command came to into the ledger, once, and does what follows from it. */
export class CommandRecorder {
  readonly #parts: CommandParts;
  readonly #job: CommentJob;
  readonly #comment: CommentCheck;

  constructor(parts: CommandParts, job: CommentJob, comment: CommentCheck) {
    this.#parts = parts;
    this.#job = job;
    this.#comment = comment;
  }

  /** What an earlier try has decided and perhaps recorded already: it stands, whatever has changed since. */
  async recall(command: Command, place: number, opened: OpenedProject): Promise<Recorded | null> {
    const decided = await this.#parts.memory.decided(this.#key, place);
    if (decided === null) return null;
    if (this.#parts.publicMemory) {
      if (opened.kind === "refuse" || (await this.#changed()) !== null) return null;
      const { state } = await opened.ledger.refresh();
      return fitsCommand(this.#parts, decided, {
        ...{ command, job: this.#job, state, method: opened.config.merge_method },
      });
    }
    const { event, ...recorded } = JSON.parse(decided) as Recorded & { readonly event?: NewEvent };
    return event === undefined ? recorded : { ...recorded, events: [event] };
  }

  /** On record here before it is written into the ledger, and only while the comment stands as it was. */
  async record(text: string, recorded: Recorded, at: CommandPlace): Promise<ReplyRow> {
    const { memory, now } = this.#parts;
    const changed = await this.#changed();
    if (changed !== null) return refusedRow(text, changed);
    await memory.decide(this.#key, at.place, JSON.stringify(recorded), now());
    return this.append(text, recorded, at);
  }

  async append(text: string, recorded: Recorded, { opened, place }: CommandPlace): Promise<ReplyRow> {
    const { done, awaited, effect } = recorded;
    const { digest } = this.#parts;
    const events = recorded.events.map((event, index) =>
      signedEvent(event, this.#job, { place, index, digest }),
    );
    await opened.ledger.observe(events);
    await opened.ledger.share("now");
    this.#parts.onAppended();
    const taken = await takenName(opened.ledger, events);
    if (taken !== null) return refusedRow(text, commentRefusals.eventTaken(taken));
    // What keeps beads from starting again comes first, so the last one is what the engine acts on.
    const last = (effect?.kind === "land" ? effect.request : undefined) ?? events.at(-1)?.id;
    const request = awaited === true ? last : undefined;
    const more = effect === undefined ? "" : await this.#follow(effect, last ?? "", opened);
    if (typeof more !== "string") return refusedRow(text, more);
    const said = more === "" ? recorded.said : `${recorded.said}; ${more}`;
    const row: ReplyRow = { ...rowOf(text), result: done ? "done" : "queued", said };
    return request === undefined ? row : { ...row, request };
  }

  /** What a recorded command leads to; a sentence about it, or none. */
  async #follow(effect: PullEffect, request: string, { ledger }: UsableProject): Promise<string | Refused> {
    const { pulls, reviewAs, startLanding, landingWithdrawn, analysing, postRemark } = this.#parts.onPull;
    switch (effect.kind) {
      case "review":
        return (await reviewAs(this.#job, effect))
          ? pullReplies.reviewed()
          : pullReplies.reviewForm(effect.url);
      case "close":
        await pulls.close(effect.pull);
        return "";
      case "land":
        await startLanding(this.#job, { request, pull: effect.pull, branch: effect.branch });
        return "";
      case "withdraw": {
        await landingWithdrawn(this.#job);
        // A landing that reached the ledger first stands, and the record of the withdrawal means nothing.
        const outcome = requestOutcome(effect.request, await ledger.recent(MOST_RECENT));
        return outcome.kind === "landed"
          ? pullReplyRefusal.withdrawal({ code: "too_late", head: outcome.head })
          : "";
      }
      case "analyse":
        await analysing.start(this.#job, {
          ...{ request, pull: effect.pull, head: effect.head, base: effect.base },
        });
        return "";
      case "remark": {
        const sent = await postRemark(this.#job, effect);
        if (sent.kind === "posted") return analysisReplies.remarkAt(sent.url);
        return analysisReplies.remarkRefused(sent.kind === "refused" ? sent.why : sent.kind);
      }
    }
  }

  async #changed(): Promise<Refused | null> {
    return (await this.#comment.disowned()) ?? (await this.#comment.edited());
  }

  get #key(): string {
    return commentKey(commentRef(this.#job));
  }
}
