import { setTimeout as pause } from "node:timers/promises";
import type { SqliteDatabase, SqliteStatement } from "kysely";
import Database from "libsql";

const BUSY_MS = 5000;
const WAL_TRIES = 50;

/** A SQLite file that is on the disk when a commit returns, in the shape Kysely asks for. */
export async function openSqlite(file: string): Promise<SqliteDatabase> {
  const database = new Database(file, { timeout: BUSY_MS });
  try {
    database.pragma(`busy_timeout = ${BUSY_MS}`);
    await switchToWal(database);
    // With NORMAL, what was acknowledged last would be lost in a power cut.
    database.pragma("synchronous = FULL");
  } catch (error) {
    database.close();
    throw error;
  }
  return adapt(database);
}

/** Of several processes that open a new file at once, all but one are told that it is busy, whatever the timeout. */
async function switchToWal(database: Database.Database): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      database.pragma("journal_mode = WAL");
      return;
    } catch (error) {
      if (!isBusy(error) || tries >= WAL_TRIES) throw error;
      await pause(20);
    }
  }
}

function isBusy(error: unknown): boolean {
  return ((error as { code?: unknown }).code ?? "").toString().startsWith("SQLITE_BUSY");
}

function adapt(database: Database.Database): SqliteDatabase {
  const known = new Map<string, SqliteStatement>();
  return {
    close: () => {
      // After an orderly end the one file is all there is to copy.
      if (!database.inTransaction) database.pragma("wal_checkpoint(TRUNCATE)");
      known.clear();
      database.close();
    },
    prepare(text) {
      const found = known.get(text);
      if (found) return found;
      const statement = special(text, database) ?? checked(database.prepare<unknown[]>(text));
      // The texts are our own and few; those with lists of varying length in them must not pile up.
      if (known.size >= 200) known.clear();
      known.set(text, statement);
      return statement;
    },
  };
}

function special(text: string, database: Database.Database): SqliteStatement | null {
  switch (text) {
    case "begin":
      // One that first reads and then writes would fail, not wait, when another process wrote in between.
      return checked(database.prepare<unknown[]>("begin immediate"));
    case "rollback": {
      // Some failures, a full disk among them, have rolled back already.
      const rollback = checked(database.prepare<unknown[]>(text));
      return {
        ...rollback,
        run: (values) => (database.inTransaction ? rollback.run(values) : { changes: 0, lastInsertRowid: 0 }),
      };
    }
    default:
      return null;
  }
}

function checked(statement: Database.Statement<unknown[]>): SqliteStatement {
  return {
    reader: statement.reader,
    all: (values) => statement.all(storable(values)),
    run: (values) => statement.run(storable(values)),
    iterate: (values) => statement.iterate(storable(values)),
  };
}

/** Refuses what libsql would bind and not give back: it ends the process at a boolean and cuts a text at a NUL. */
function storable(values: readonly unknown[]): readonly unknown[] {
  for (const value of values) {
    if (value === null || value instanceof Uint8Array || Number.isFinite(value)) continue;
    if (typeof value === "string" && !value.includes("\0")) continue;
    throw new TypeError(`the store cannot keep ${typeof value === "string" ? "a NUL" : typeof value}`);
  }
  return values;
}
