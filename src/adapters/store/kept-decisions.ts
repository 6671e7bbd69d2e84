import type { Kysely, Transaction } from "kysely";
import type { Tables } from "./tables.js";

export interface Decision {
  readonly comment: string;
  /** Which of the comment's commands it is about; below 0 for other matters. */
  readonly place: number;
  readonly decision: string;
  readonly decidedAt: number;
}

export async function keepDecision(
  db: Transaction<Tables>,
  { comment, place, decision, decidedAt }: Decision,
): Promise<void> {
  const row = { decision, decided_at: decidedAt };
  await db
    .insertInto("decisions")
    .values({ comment, place, ...row })
    .onConflict((found) => found.columns(["comment", "place"]).doUpdateSet(row))
    .execute();
}

export async function findDecision(
  db: Kysely<Tables>,
  comment: string,
  place: number,
): Promise<string | null> {
  const row = await db
    .selectFrom("decisions")
    .select("decision")
    .where("comment", "=", comment)
    .where("place", "=", place)
    .executeTakeFirst();
  return row?.decision ?? null;
}
