import type { Kysely, Transaction } from "kysely";
import type { Tables } from "./tables.js";

export interface Account {
  readonly host: string;
  readonly userId: number;
  readonly login: string;
  /** The token, encrypted. The store has no key to it. */
  readonly sealed: Uint8Array;
  readonly linkedAt: number;
}

export async function keepAccount(
  db: Transaction<Tables>,
  { host, userId, login, sealed, linkedAt }: Account,
): Promise<void> {
  const row = { login, sealed, linked_at: linkedAt };
  await db
    .insertInto("accounts")
    .values({ host, user_id: userId, ...row })
    .onConflict((found) => found.columns(["host", "user_id"]).doUpdateSet(row))
    .execute();
}

export async function findAccount(db: Kysely<Tables>, host: string, userId: number): Promise<Account | null> {
  const row = await db
    .selectFrom("accounts")
    .select(["login", "sealed", "linked_at"])
    .where("host", "=", host)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (!row) return null;
  return { host, userId, login: row.login, sealed: new Uint8Array(row.sealed), linkedAt: row.linked_at };
}

export async function dropAccount(db: Transaction<Tables>, host: string, userId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("accounts")
    .where("host", "=", host)
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
