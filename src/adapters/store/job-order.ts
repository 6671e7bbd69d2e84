import type { Transaction } from "kysely";
import type { Lane } from "../../ports/inbox.js";
import type { StoredState, Tables } from "./tables.js";

/** Jobs that hold back those of their key that came after them. */
export const UNFINISHED: readonly StoredState[] = ["waiting", "behind", "in-hand"];

/** Of one key: none waits while one is in hand, else the one that came first does. After any change to its jobs. */
export async function nowFirst(db: Transaction<Tables>, lane: Lane, key: string): Promise<void> {
  const ofKey = () => db.updateTable("jobs").where("lane", "=", lane).where("key", "=", key);
  await ofKey().set({ state: "behind" }).where("state", "=", "waiting").execute();
  await db
    .updateTable("jobs")
    .set({ state: "waiting" })
    .where("seq", "=", ({ selectFrom }) =>
      selectFrom("jobs as first")
        .select(({ fn }) => fn.min("first.seq").as("seq"))
        .where("first.lane", "=", lane)
        .where("first.key", "=", key)
        .where("first.state", "=", "behind"),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("jobs as taken")
            .select("taken.seq")
            .where("taken.lane", "=", lane)
            .where("taken.key", "=", key)
            .where("taken.state", "=", "in-hand"),
        ),
      ),
    )
    .execute();
}

/** The same for all keys, when nobody has anything in hand. */
export async function restoreFirsts(db: Transaction<Tables>): Promise<void> {
  await db.updateTable("jobs").set({ state: "behind" }).where("state", "in", UNFINISHED).execute();
  await db
    .updateTable("jobs")
    .set({ state: "waiting" })
    .where("seq", "in", ({ selectFrom }) =>
      selectFrom("jobs as first")
        .select(({ fn }) => fn.min("first.seq").as("seq"))
        .where("first.state", "=", "behind")
        .groupBy(["first.lane", "first.key"]),
    )
    .execute();
}
