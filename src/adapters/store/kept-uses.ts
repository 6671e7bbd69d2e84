import type { Kysely, Transaction } from "kysely";
import type { Use } from "../../ports/comment-memory.js";
import type { Tables } from "./tables.js";

export async function keepUse(db: Transaction<Tables>, { refused, ...use }: Use): Promise<void> {
  await db
    .insertInto("uses")
    .values({ ...use, refused: refused ? 1 : 0 })
    .onConflict((found) => {
      const column = found.column("comment");
      return refused ? column.doUpdateSet({ refused: 1 }) : column.doNothing();
    })
    .execute();
}

interface UseQuestion {
  readonly repository: string;
  readonly user: string;
  readonly since: number;
}

/** What the user did anywhere in the repository, and what anybody did on the thread, oldest first. */
export async function findUses(
  db: Kysely<Tables>,
  { repository, user, since }: UseQuestion,
  thread: number,
): Promise<Use[]> {
  const rows = await recent(db, repository, since)
    .where(({ eb, or }) => or([eb("user", "=", user), eb("thread", "=", thread)]))
    .execute();
  return rows.map(asUse);
}

function recent(db: Kysely<Tables>, repository: string, since: number) {
  return db
    .selectFrom("uses")
    .select(["comment", "repository", "user", "thread", "at", "refused"])
    .where("repository", "=", repository)
    .where("at", ">=", since)
    .orderBy("at");
}

function asUse({ refused, ...use }: Omit<Use, "refused"> & { readonly refused: number }): Use {
  return { ...use, refused: refused === 1 };
}
