import type { CommentMemory, Use } from "../../ports/comment-memory.js";
import { type Account, dropAccount, findAccount, keepAccount } from "./kept-accounts.js";
import { findDecision, keepDecision } from "./kept-decisions.js";
import { findUses, keepUse } from "./kept-uses.js";
import type { Store } from "./open-store.js";

/** What the App must know of its own doings when the same thing comes again. A write is durable when it returns. */
export class AppMemory implements CommentMemory {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async handled(comment: string): Promise<boolean> {
    const found = this.#store.db.selectFrom("comments").select("comment").where("comment", "=", comment);
    return (await found.executeTakeFirst()) !== undefined;
  }

  async markHandled(comment: string, now: number): Promise<void> {
    await this.#store.write((db) =>
      db
        .insertInto("comments")
        .values({ comment, handled_at: now })
        .onConflict((found) => found.column("comment").doNothing())
        .execute(),
    );
  }

  /** Null when nothing was decided. */
  decided(comment: string, place: number): Promise<string | null> {
    return findDecision(this.#store.db, comment, place);
  }

  /** A later one takes the place of an earlier one. */
  decide(comment: string, place: number, decision: string, decidedAt: number): Promise<void> {
    return this.#store.write((db) => keepDecision(db, { comment, place, decision, decidedAt }));
  }

  /** Null when no reply was ever begun. An id of null: one was, and whether it reached GitHub is not known. */
  async replyOf(comment: string): Promise<{ readonly id: number | null } | null> {
    const found = this.#store.db.selectFrom("replies").select("reply").where("comment", "=", comment);
    const row = await found.executeTakeFirst();
    return row ? { id: row.reply } : null;
  }

  /** Before the reply is sent, so that a repeat looks for it first. */
  async intendReply(comment: string, now: number = Date.now()): Promise<void> {
    await this.#store.write((db) =>
      db
        .insertInto("replies")
        .values({ comment, reply: null, intended_at: now })
        .onConflict((found) => found.column("comment").doNothing())
        .execute(),
    );
  }

  async setReply(comment: string, id: number, now: number = Date.now()): Promise<void> {
    await this.#store.write((db) =>
      db
        .insertInto("replies")
        .values({ comment, reply: id, intended_at: now })
        .onConflict((found) => found.column("comment").doUpdateSet({ reply: id }))
        .execute(),
    );
  }

  /** A comment counts once, from when it was first seen; once refused, it stays refused. */
  use(use: Use): Promise<void> {
    return this.#store.write((db) => keepUse(db, use));
  }

  /** What the user did anywhere in the repository, and what anybody did on the thread, oldest first. */
  uses(repository: string, user: string, thread: number, since: number): Promise<Use[]> {
    return findUses(this.#store.db, { repository, user, since }, thread);
  }

  /** When the store was made. What happened before it was nobody's to handle. */
  async bornAt(): Promise<number> {
    return (await this.#note("born_at")) ?? 0;
  }

  /** Null when there was none. */
  lastSweep(name: string): Promise<number | null> {
    return this.#note(`sweep ${name}`);
  }

  async noteSweep(name: string, at: number): Promise<void> {
    const row = { name: `sweep ${name}`, value: `${at}` };
    await this.#store.write((db) =>
      db
        .insertInto("meta")
        .values(row)
        .onConflict((found) => found.column("name").doUpdateSet({ value: row.value }))
        .execute(),
    );
  }

  /** How often GitHub was asked to deliver this once more. */
  async asked(guid: string): Promise<number> {
    const found = this.#store.db.selectFrom("redeliveries").select("times").where("guid", "=", guid);
    return (await found.executeTakeFirst())?.times ?? 0;
  }

  async noteAsked(guid: string, now: number): Promise<void> {
    await this.#store.write((db) =>
      db
        .insertInto("redeliveries")
        .values({ guid, times: 1, asked_at: now })
        .onConflict((found) =>
          found
            .column("guid")
            .doUpdateSet(({ eb }) => ({ times: eb("redeliveries.times", "+", 1), asked_at: now })),
        )
        .execute(),
    );
  }

  saveAccount(account: Account): Promise<void> {
    return this.#store.write((db) => keepAccount(db, account));
  }

  account(host: string, userId: number): Promise<Account | null> {
    return findAccount(this.#store.db, host, userId);
  }

  /** Whether there was one. */
  dropAccount(host: string, userId: number): Promise<boolean> {
    return this.#store.write((db) => dropAccount(db, host, userId));
  }

  /** Comments, replies, uses and redeliveries older than that. Accounts and sweeps stay. */
  async forget(before: number): Promise<void> {
    await this.#store.write(async (db) => {
      await db.deleteFrom("comments").where("handled_at", "<", before).execute();
      await db.deleteFrom("decisions").where("decided_at", "<", before).execute();
      await db.deleteFrom("replies").where("intended_at", "<", before).execute();
      await db.deleteFrom("uses").where("at", "<", before).execute();
      await db.deleteFrom("redeliveries").where("asked_at", "<", before).execute();
    });
  }

  async #note(name: string): Promise<number | null> {
    const found = this.#store.db.selectFrom("meta").select("value").where("name", "=", name);
    const row = await found.executeTakeFirst();
    return row ? Number(row.value) : null;
  }
}
