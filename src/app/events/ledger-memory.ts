import type { AppMemory } from "../../adapters/store/app-memory.js";
import { REPLY_PLACE } from "../../comments/reply-once.js";
import { type CommentJob, commentKey, commentRef } from "../../core/model/comment-job.js";
import type { NewEvent } from "../../core/run/ledger/ledger-event.js";
import type { TakenComment } from "../../core/run/ledger/ledger-state.js";
import type { Use } from "../../ports/comment-memory.js";
import type { Ledger } from "../../ports/ledger.js";
import { type OwedReply, owedReply } from "./owed-reply.js";
import { isShared, isSharedReadable, KeptRows, readShared } from "./shared-memory.js";
import { forgottenAt } from "./take-comment.js";

export interface MemoryParts {
  readonly ledger: Pick<Ledger, "observe">;
  /** `owner/name`. */
  readonly repository: string;
  readonly now: () => number;
}

/**
 * What the App's database is elsewhere, for a workflow run that is there for one event. What another run must know goes
 * into the ledger, and is shared with what it is about: a decision in one write with its events, all else at the run's
 * end. The rest is gone with the run, and is found anew on GitHub.
 */
export class LedgerMemory implements Pick<AppMemory, keyof AppMemory> {
  readonly #parts: MemoryParts;
  readonly #decided = new Map<string, string>();
  readonly #replies = new Map<string, number | null>();
  readonly #uses = new Map<string, Use>();
  readonly #jobs = new Map<string, CommentJob>();

  constructor(parts: MemoryParts) {
    this.#parts = parts;
  }

  /** The comment is about to be answered here. */
  taken(job: CommentJob): void {
    this.#jobs.set(commentKey(commentRef(job)), job);
  }

  async handled(comment: string): Promise<boolean> {
    return ((await this.#find(comment))?.answer ?? null) !== null;
  }

  async markHandled(comment: string): Promise<void> {
    const use = this.#uses.get(comment);
    const counts = use === undefined ? "no" : use.refused ? "refused" : "yes";
    await this.#answered(comment, { counts, owed: await this.#owed(comment) });
  }

  /** Nothing is to be told any more in the reply to it. */
  async settle(comment: string): Promise<void> {
    const answer = (await this.#find(comment))?.answer;
    if (answer?.owed) await this.#answered(comment, { counts: answer.counts, owed: null });
  }

  async decided(name: string, place: number): Promise<string | null> {
    const here = this.#decided.get(`${name} ${place}`);
    if (here !== undefined) return here;
    const { app } = await this.#state();
    const kept = app.kept.find((each) => each.key === name && each.place === place);
    if (kept !== undefined) return isSharedReadable(name, place, kept.value) ? kept.value : null;
    const rows = app.comments.find(({ comment }) => comment === name)?.answer?.owed?.rows;
    if (place !== REPLY_PLACE || rows === undefined) return null;
    return readShared(KeptRows, rows) === null ? null : rows;
  }

  async decide(name: string, place: number, decision: string): Promise<void> {
    const known = await this.decided(name, place);
    this.#decided.set(`${name} ${place}`, decision);
    if (known !== decision && isShared(name, place))
      await this.#write({ type: "app.kept", data: { key: name, place, value: decision } });
  }

  /** Where somebody else began with the comment, a reply may be there whose number nobody knows. */
  async replyOf(comment: string): Promise<{ readonly id: number | null } | null> {
    const here = this.#replies.get(comment);
    if (here !== undefined) return { id: here };
    const taken = await this.#find(comment);
    return taken !== undefined && (taken.again || taken.answer !== null)
      ? { id: taken.answer?.reply ?? null }
      : null;
  }

  /** Taking the comment was the intention: whoever takes it after us looks for our reply. */
  async intendReply(comment: string): Promise<void> {
    this.#replies.set(comment, this.#replies.get(comment) ?? null);
  }

  async setReply(comment: string, id: number): Promise<void> {
    this.#replies.set(comment, id);
  }

  async use(use: Use): Promise<void> {
    const known = this.#uses.get(use.comment);
    this.#uses.set(use.comment, known ? { ...known, refused: known.refused || use.refused } : use);
  }

  async uses(_: string, user: string, thread: number, since: number): Promise<Use[]> {
    const { comments } = (await this.#state()).app;
    const others = comments.filter(({ comment, answer }) => answer !== null && !this.#uses.has(comment));
    const earlier = others.flatMap((each) => (each.answer?.counts === "no" ? [] : [this.#useOf(each)]));
    return [...earlier, ...this.#uses.values()].filter(
      (use) => use.at >= since && use.at <= this.#parts.now() && (use.user === user || use.thread === thread),
    );
  }

  async bornAt(): Promise<number> {
    const { since } = (await this.#state()).app;
    const begun = Math.min(since === null ? Number.NaN : Date.parse(since), this.#parts.now());
    return Math.max(Number.isNaN(begun) ? this.#parts.now() : begun, await this.forgottenAt());
  }

  /** When comments were written of which nobody remembers whether they were answered; the beginning of time for none. */
  async forgottenAt(): Promise<number> {
    return forgottenAt((await this.#state()).app, this.#parts.now());
  }

  /** Comments are looked after from now on, unless they are already. */
  async begin(): Promise<void> {
    if ((await this.#state()).app.since === null) await this.#write({ type: "app.began", data: {} });
  }

  async owed(): Promise<readonly OwedReply[]> {
    const { comments } = (await this.#state()).app;
    return comments.flatMap(({ comment, answer }) => owedReply(comment, answer?.owed ?? null) ?? []);
  }

  // Webhooks are not delivered here, and no accounts are linked.
  lastSweep = async () => null;
  noteSweep = async () => {};
  asked = async () => 0;
  noteAsked = async () => {};
  account = async () => null;
  dropAccount = async () => false;
  forget = async () => {};
  saveAccount = async () => {
    throw new Error("a workflow run keeps no accounts");
  };

  /** What the next runs need, to tell in the reply what becomes of it. */
  async #owed(comment: string): Promise<{ job: string; rows: string } | null> {
    const job = this.#jobs.get(comment);
    const rows = this.#decided.get(`${comment} ${REPLY_PLACE}`);
    if (job === undefined || rows === undefined) return null;
    const owed = { job: JSON.stringify({ ...job, comment: { ...job.comment, body: "" } }), rows };
    return owedReply(comment, owed) === null ? null : owed;
  }

  async #answered(
    comment: string,
    answer: { counts: "yes" | "refused" | "no"; owed: { job: string; rows: string } | null },
  ): Promise<void> {
    const reply = (await this.replyOf(comment))?.id ?? null;
    await this.#write({ type: "app.answered", data: { comment, reply, ...answer } });
  }

  #useOf({ comment, user, thread, at, answer }: TakenComment): Use {
    const { repository } = this.#parts;
    return { comment, repository, user, thread, at: Date.parse(at), refused: answer?.counts === "refused" };
  }

  async #find(comment: string): Promise<TakenComment | undefined> {
    return (await this.#state()).app.comments.find((each) => each.comment === comment);
  }

  async #state() {
    return (await this.#parts.ledger.observe([])).state;
  }

  async #write(event: NewEvent): Promise<void> {
    await this.#parts.ledger.observe([event]);
  }
}
