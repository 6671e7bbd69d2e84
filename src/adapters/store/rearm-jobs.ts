import type { Transaction } from "kysely";
import type { Lane } from "../../ports/inbox.js";
import { nowFirst } from "./job-order.js";
import type { Tables } from "./tables.js";

/** `rearmed` also for one that had stepped aside and is due now. The others were left as they are. */
export type Rearmed = "rearmed" | "in-hand" | "done" | "absent";

export async function rearmJob(db: Transaction<Tables>, id: string): Promise<Rearmed> {
  const job = await db
    .selectFrom("jobs")
    .select(["lane", "key", "state"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!job) return "absent";
  switch (job.state) {
    case "in-hand":
    case "done":
      return job.state;
    case "waiting":
    case "behind":
      await db.updateTable("jobs").set({ not_before: 0 }).where("id", "=", id).execute();
      return "rearmed";
    case "dead":
      await revive(db, id);
      await nowFirst(db, job.lane, job.key);
      return "rearmed";
  }
}

/** Those that have stepped aside, of every key that begins so, are due now. How many they were. */
export async function hastenJobs(db: Transaction<Tables>, lane: Lane, keyStart: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("jobs")
    .set({ not_before: 0 })
    .where("lane", "=", lane)
    .where("state", "in", ["waiting", "behind"])
    .where("not_before", ">", 0)
    .where((find) => find(find.fn("substr", ["key", find.lit(1), find.lit(keyStart.length)]), "=", keyStart))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

export async function rearmDead(db: Transaction<Tables>, lane?: Lane): Promise<string[]> {
  let query = db.selectFrom("jobs").select(["id", "lane", "key"]).where("state", "=", "dead").orderBy("seq");
  if (lane !== undefined) query = query.where("lane", "=", lane);
  const dead = await query.execute();
  for (const { id, lane: itsLane, key } of dead) {
    await revive(db, id);
    await nowFirst(db, itsLane, key);
  }
  return dead.map(({ id }) => id);
}

/** What went wrong stays to be seen until it is done, or goes wrong in another way. */
async function revive(db: Transaction<Tables>, id: string): Promise<void> {
  await db
    .updateTable("jobs")
    .set({ state: "behind", not_before: 0, attempts: 0 })
    .where("id", "=", id)
    .execute();
}
