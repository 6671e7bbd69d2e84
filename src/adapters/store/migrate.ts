import type { Kysely } from "kysely";
import { storeAdvice } from "../../core/replies/app/inbox.js";
import { UserError } from "../../lib/user-error.js";
import type { Tables } from "./tables.js";

type Step = (db: Kysely<Tables>, now: number) => Promise<void>;

/** Never changed once released, only added to: the position of a step is the version it leads to. */
const STEPS: readonly Step[] = [firstTables];

/** Brings a database to what this koryph works with; all steps or none. Call it inside a transaction. */
export async function migrate(db: Kysely<Tables>, file: string, now: number): Promise<void> {
  const version = await versionOf(db, file);
  if (version > STEPS.length) throw UserError.of(storeAdvice.newer(file, version, STEPS.length));
  if (version === STEPS.length) return;
  for (const step of STEPS.slice(version)) await step(db, now);
  const row = { name: "version", value: `${STEPS.length}` };
  await db
    .insertInto("meta")
    .values(row)
    .onConflict((found) => found.column("name").doUpdateSet({ value: row.value }))
    .execute();
}

/** 0 for a database with nothing in it. */
async function versionOf(db: Kysely<Tables>, file: string): Promise<number> {
  const tables = await db.introspection.getTables();
  if (tables.length === 0) return 0;
  const ours = tables.some(({ name }) => name === "meta") && tables.some(({ name }) => name === "jobs");
  if (!ours) throw UserError.of(storeAdvice.foreign(file));
  const row = await db.selectFrom("meta").select("value").where("name", "=", "version").executeTakeFirst();
  const version = Number(row?.value);
  if (!Number.isSafeInteger(version) || version < 1) throw UserError.of(storeAdvice.foreign(file));
  return version;
}

async function firstTables(db: Kysely<Tables>, now: number): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("jobs")
    .addColumn("seq", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("id", "text", (column) => column.notNull().unique())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("lane", "text", (column) => column.notNull())
    .addColumn("key", "text", (column) => column.notNull())
    .addColumn("payload", "text")
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("received_at", "bigint", (column) => column.notNull())
    .addColumn("not_before", "bigint", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("error", "text", (column) => column.notNull())
    .addColumn("done_at", "bigint")
    .execute();
  const next = ["lane", "state", "seq", "not_before"];
  await schema.createIndex("jobs_next").on("jobs").columns(next).execute();
  await schema.createIndex("jobs_of_key").on("jobs").columns(["lane", "key", "state", "seq"]).execute();
  await schema.createIndex("jobs_done").on("jobs").column("done_at").execute();
  await schema
    .createTable("comments")
    .addColumn("comment", "text", (column) => column.primaryKey())
    .addColumn("handled_at", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createTable("decisions")
    .addColumn("comment", "text", (column) => column.notNull())
    .addColumn("place", "integer", (column) => column.notNull())
    .addColumn("decision", "text", (column) => column.notNull())
    .addColumn("decided_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("decisions_pk", ["comment", "place"])
    .execute();
  await schema
    .createTable("replies")
    .addColumn("comment", "text", (column) => column.primaryKey())
    .addColumn("reply", "bigint")
    .addColumn("intended_at", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createTable("uses")
    .addColumn("comment", "text", (column) => column.primaryKey())
    .addColumn("repository", "text", (column) => column.notNull())
    .addColumn("user", "text", (column) => column.notNull())
    .addColumn("thread", "bigint", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("refused", "integer", (column) => column.notNull())
    .execute();
  await schema.createIndex("uses_when").on("uses").columns(["repository", "at"]).execute();
  await schema
    .createTable("redeliveries")
    .addColumn("guid", "text", (column) => column.primaryKey())
    .addColumn("times", "integer", (column) => column.notNull())
    .addColumn("asked_at", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createTable("accounts")
    .addColumn("host", "text", (column) => column.notNull())
    .addColumn("user_id", "bigint", (column) => column.notNull())
    .addColumn("login", "text", (column) => column.notNull())
    .addColumn("sealed", "blob", (column) => column.notNull())
    .addColumn("linked_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("accounts_pk", ["host", "user_id"])
    .execute();
  await schema
    .createTable("meta")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("value", "text", (column) => column.notNull())
    .execute();
  await db
    .insertInto("meta")
    .values({ name: "born_at", value: `${now}` })
    .execute();
}
