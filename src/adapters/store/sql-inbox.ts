import { sql, type Transaction } from "kysely";
import type { Inbox, Job, Lane, ListedJob, NewJob } from "../../ports/inbox.js";
import { nowFirst, restoreFirsts, UNFINISHED } from "./job-order.js";
import { countJobs, type JobCount, type JobFilter, listJobs } from "./look-at-jobs.js";
import type { Store } from "./open-store.js";
import { hastenJobs, type Rearmed, rearmDead, rearmJob } from "./rearm-jobs.js";
import type { StoredState, Tables } from "./tables.js";

const FORGET_AT_ONCE = 500;

/** The inbox in the App's database. A job is waiting when it is the first of its key; see `StoredState`. */
export class SqlInbox implements Inbox {
  readonly #store: Store;
  readonly #now: () => number;

  constructor(store: Store, now: () => number = Date.now) {
    this.#store = store;
    this.#now = now;
  }

  /** What a process that died had in hand is waiting again. Only for the one process that takes jobs, before it does. */
  async reclaim(): Promise<number> {
    return this.#store.write(async (db) => {
      const found = await db.selectFrom("jobs").select("id").where("state", "=", "in-hand").execute();
      await restoreFirsts(db);
      return found.length;
    });
  }

  async add(job: NewJob): Promise<"added" | "known"> {
    const receivedAt = this.#now();
    return this.#store.write(async (db) => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("jobs")
        .values(({ case: choose, exists, selectFrom }) => ({
          id: job.id,
          name: job.name,
          lane: job.lane,
          key: job.key,
          payload: job.payload,
          state: choose()
            .when(
              exists(
                selectFrom("jobs")
                  .select(sql.lit(1).as("one"))
                  .where("lane", "=", job.lane)
                  .where("key", "=", job.key)
                  .where("state", "in", UNFINISHED),
              ),
            )
            .then<StoredState>("behind")
            .else<StoredState>("waiting")
            .end(),
          received_at: receivedAt,
          not_before: job.notBefore ?? 0,
          attempts: 0,
          error: "",
        }))
        .onConflict((found) => found.column("id").doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n ? "added" : "known";
    });
  }

  /** Whether a job of this name was ever added and not yet forgotten. */
  async has(id: string): Promise<boolean> {
    const found = this.#store.db.selectFrom("jobs").select("seq").where("id", "=", id);
    return (await found.executeTakeFirst()) !== undefined;
  }

  async take(lane: Lane, now: number): Promise<Job | null> {
    const row = await this.#store.write((db) =>
      db
        .updateTable("jobs")
        .set(({ eb }) => ({ state: "in-hand", attempts: eb("attempts", "+", 1) }))
        .where("seq", "=", ({ selectFrom }) =>
          selectFrom("jobs as next")
            .select("next.seq")
            .where("next.lane", "=", lane)
            .where("next.state", "=", "waiting")
            .where("next.not_before", "<=", now)
            .orderBy("next.seq")
            .limit(1),
        )
        .returning(["id", "name", "lane", "key", "payload", "received_at", "attempts"])
        .executeTakeFirst(),
    );
    if (!row) return null;
    const { payload, received_at: receivedAt, attempts: attempt, ...rest } = row;
    return { ...rest, payload: payload ?? "null", receivedAt, attempt };
  }

  /** Whatever its state: what was done is done, also when somebody else has it in hand by now. */
  async done(job: Job): Promise<void> {
    const changes = { state: "done", payload: null, error: "", done_at: this.#now() } as const;
    await this.#end(job, (db) => db.updateTable("jobs").set(changes).where("id", "=", job.id).execute());
  }

  /** The attempts on record are those the job says it had: what should not count comes with one less. */
  async postpone(job: Job, notBefore: number, error: string): Promise<void> {
    const changes = { state: "behind", not_before: notBefore, attempts: job.attempt, error } as const;
    await this.#end(job, (db) => inHand(db, job).set(changes).execute());
  }

  async bury(job: Job, error: string): Promise<void> {
    await this.#end(job, (db) => inHand(db, job).set({ state: "dead", error }).execute());
  }

  async putBack(job: Job): Promise<void> {
    const changes = { state: "behind", attempts: job.attempt - 1 } as const;
    await this.#end(job, (db) => inHand(db, job).set(changes).execute());
  }

  async nextDue(lane: Lane): Promise<number | null> {
    const row = await this.#store.db
      .selectFrom("jobs")
      .select(({ fn }) => fn.min("not_before").as("due"))
      .where("lane", "=", lane)
      .where("state", "=", "waiting")
      .executeTakeFirst();
    return row?.due ?? null;
  }

  /** Unfinished and dead ones, in the order they came. */
  list(filter: JobFilter = {}): Promise<ListedJob[]> {
    return listJobs(this.#store.db, filter);
  }

  /** For every lane and state, also where there is none. */
  depth(): Promise<JobCount[]> {
    return countJobs(this.#store.db);
  }

  /** A dead job waits again in its old place, with its attempts at zero; one that stepped aside is due at once. */
  rearm(id: string): Promise<Rearmed> {
    return this.#store.write((db) => rearmJob(db, id));
  }

  /** What has stepped aside is due at once, of every key that begins so. How many they were. */
  hasten(lane: Lane, keyStart: string): Promise<number> {
    return this.#store.write((db) => hastenJobs(db, lane, keyStart));
  }

  /** The ids of those that were dead. */
  rearmAllDead(lane?: Lane): Promise<string[]> {
    return this.#store.write((db) => rearmDead(db, lane));
  }

  /** Jobs that were done before then can be added again. How many were forgotten. */
  async forget(before: number): Promise<number> {
    let forgotten = 0;
    for (;;) {
      const { numDeletedRows } = await this.#store.write((db) =>
        db
          .deleteFrom("jobs")
          .where("seq", "in", ({ selectFrom }) =>
            selectFrom("jobs as old")
              .select("old.seq")
              .where("old.done_at", "<", before)
              .limit(FORGET_AT_ONCE),
          )
          .executeTakeFirstOrThrow(),
      );
      forgotten += Number(numDeletedRows);
      if (numDeletedRows < BigInt(FORGET_AT_ONCE)) return forgotten;
    }
  }

  #end(job: Job, change: (db: Transaction<Tables>) => Promise<unknown>): Promise<void> {
    return this.#store.write(async (db) => {
      await change(db);
      await nowFirst(db, job.lane, job.key);
    });
  }
}

/** A job that is no longer in hand was settled by somebody else. */
function inHand(db: Transaction<Tables>, { id }: Job) {
  return db.updateTable("jobs").where("id", "=", id).where("state", "=", "in-hand");
}
