import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { Kysely, SqliteDialect, type Transaction } from "kysely";
import { storeAdvice } from "../../core/replies/app/inbox.js";
import { homeAdvice } from "../../core/replies/config/home.js";
import { UserError } from "../../lib/user-error.js";
import { makeFolder } from "../home/koryph-home.js";
import { GroupCommit } from "./group-commit.js";
import { migrate } from "./migrate.js";
import { openSqlite } from "./sqlite-file.js";
import type { Tables } from "./tables.js";

/** The App's database. Several processes may have it open; only one may take jobs from it. */
export interface Store {
  /** For reading. It shows nothing that is not committed. */
  readonly db: Kysely<Tables>;
  /** On the disk when it returns; together with other writes, so `work` does nothing but ask `db`. */
  write<Result>(work: (db: Transaction<Tables>) => Promise<Result>): Promise<Result>;
  /** Waits for the writes that are under way. */
  close(): Promise<void>;
}

/** Opens the App's database, made if need be. Throws a `UserError` when it is none, damaged, or of a newer koryph. */
export async function openStore(file: string, now: number = Date.now()): Promise<Store> {
  await makeFolder(dirname(file));
  return explained(file, async () => {
    await makePrivate(file);
    const sqlite = await openSqlite(file);
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) });
    const group = new GroupCommit(db);
    try {
      await group.write((transaction) => migrate(transaction, file, now));
    } catch (error) {
      sqlite.close();
      throw error;
    }
    return {
      db,
      write: (work) => explained(file, () => group.write(work)),
      async close() {
        await group.idle();
        await db.destroy();
      },
    };
  });
}

/** The two files SQLite keeps beside it get the same permissions. */
async function makePrivate(file: string): Promise<void> {
  const handle = await open(file, "a", 0o600);
  try {
    await handle.chmod(0o600);
  } finally {
    await handle.close();
  }
}

async function explained<Result>(file: string, action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    switch (typeof code === "string" ? code.replace(/^(SQLITE_[A-Z]+)_.*/, "$1") : null) {
      case "SQLITE_NOTADB":
        throw UserError.of(storeAdvice.foreign(file));
      case "SQLITE_CORRUPT":
        throw UserError.of(storeAdvice.damaged(file, message));
      case "SQLITE_BUSY":
        throw UserError.of(storeAdvice.busy(file));
      case "SQLITE_FULL":
      case "ENOSPC":
      case "EDQUOT":
        throw UserError.of(homeAdvice.full(file));
      case "SQLITE_READONLY":
      case "SQLITE_CANTOPEN":
      case "SQLITE_PERM":
      case "EACCES":
      case "EPERM":
      case "EROFS":
      case "EISDIR":
        throw UserError.of(homeAdvice.unwritable(file, message));
      default:
        throw error;
    }
  }
}
