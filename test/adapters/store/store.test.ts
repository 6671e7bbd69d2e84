import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { Kysely, SqliteDialect, sql } from "kysely";
import { describe, expect, test } from "vitest";
import { GroupCommit } from "../../../src/adapters/store/group-commit.js";
import { openStore } from "../../../src/adapters/store/open-store.js";
import { openSqlite } from "../../../src/adapters/store/sqlite-file.js";
import { UserError } from "../../../src/lib/user-error.js";
import { newJob, storeFile, testInbox, testStore } from "../../support/app/store.js";
import { startScript } from "../../support/cli/node-script.js";
import { longTest } from "../../support/long.js";

describe("the file", () => {
  test("is for its owner alone, also what SQLite keeps beside it", async () => {
    const file = storeFile();
    await testStore(file);
    const folder = dirname(file);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder).map((name) => statSync(`${folder}/${name}`).mode & 0o777)).toEqual([
      0o600, 0o600, 0o600,
    ]);
  });

  test("that others could read no longer can", async () => {
    const file = storeFile();
    await (await openStore(file)).close();
    chmodSync(file, 0o644);
    await testStore(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("keeps what was written, and when it was made, over a restart", async () => {
    const file = storeFile();
    const first = await openStore(file, 1234);
    await first.write((db) => db.insertInto("comments").values({ comment: "c", handled_at: 5 }).execute());
    await first.close();
    const { db } = await testStore(file);
    expect(await db.selectFrom("comments").selectAll().execute()).toEqual([{ comment: "c", handled_at: 5 }]);
    expect(await db.selectFrom("meta").selectAll().orderBy("name").execute()).toEqual([
      { name: "born_at", value: "1234" },
      { name: "version", value: "1" },
    ]);
  });

  test("is all there is to copy after an orderly end", async () => {
    const file = storeFile();
    const store = await openStore(file);
    await store.write((db) => db.insertInto("comments").values({ comment: "c", handled_at: 5 }).execute());
    await store.close();
    const copy = storeFile();
    mkdirSync(dirname(copy));
    writeFileSync(copy, readFileSync(file));
    expect(await (await testStore(copy)).db.selectFrom("comments").selectAll().execute()).toHaveLength(1);
  });

  test("of a newer koryph is refused and left as it is", async () => {
    const file = storeFile();
    const store = await openStore(file);
    await store.write((db) =>
      db.updateTable("meta").set({ value: "99" }).where("name", "=", "version").execute(),
    );
    await store.close();
    const before = readFileSync(file);
    await expect(openStore(file)).rejects.toThrow("has version 99, and this koryph knows versions up to 1");
    expect(readFileSync(file)).toEqual(before);
  });

  test.each<{ name: string; spoil: (file: string) => void; says: string }>([
    {
      name: "no database",
      spoil: (file) => writeFileSync(file, "# notes\n".repeat(100)),
      says: "is not a koryph database",
    },
    { name: "a folder", spoil: (file) => mkdirSync(file), says: "EISDIR" },
  ])("that is $name is refused with a sentence", async ({ spoil, says }) => {
    const file = storeFile();
    mkdirSync(dirname(file));
    spoil(file);
    const refused = openStore(file);
    await expect(refused).rejects.toBeInstanceOf(UserError);
    await expect(refused).rejects.toThrow(says);
  });

  test("of another program is refused and gets no tables", async () => {
    const file = storeFile();
    mkdirSync(dirname(file));
    const other = new Kysely<unknown>({ dialect: new SqliteDialect({ database: await openSqlite(file) }) });
    await other.schema.createTable("songs").addColumn("title", "text").execute();
    await expect(openStore(file)).rejects.toThrow("is not a koryph database");
    expect((await other.introspection.getTables()).map(({ name }) => name)).toEqual(["songs"]);
    await other.destroy();
  });

  test("that was cut off is refused with a sentence", async () => {
    const file = storeFile();
    await (await openStore(file)).close();
    truncateSync(file, 6000);
    const refused = openStore(file);
    await expect(refused).rejects.toBeInstanceOf(UserError);
    await expect(refused).rejects.toThrow("is damaged");
  });

  test("on a full disk says so, and takes writes again when there is room", async () => {
    const { store, inbox } = await testInbox();
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(store.db);
    await sql`pragma max_page_count = ${sql.lit(rows[0]?.page_count ?? 0)}`.execute(store.db);
    const large = newJob("large", { payload: JSON.stringify("x".repeat(100_000)) });
    const refused = inbox.add(large);
    await expect(refused).rejects.toBeInstanceOf(UserError);
    await expect(refused).rejects.toThrow("the disk is full");
    await sql`pragma max_page_count = 1000000`.execute(store.db);
    expect(await inbox.add(large)).toBe("added");
  });

  test.each([
    { name: "a boolean", value: true },
    { name: "a text that would be cut at a NUL", value: "a\0b" },
    { name: "what is no number", value: Number.NaN },
  ])("refuses $name, which the driver would not give back", async ({ value }) => {
    const { db } = await testStore();
    await expect(sql`select ${value}`.execute(db)).rejects.toThrow(TypeError);
  });
});

describe("writes that arrive together", () => {
  async function watched() {
    const statements: string[] = [];
    const db = new Kysely<{ t: { n: number } }>({
      dialect: new SqliteDialect({ database: await openSqlite(":memory:") }),
      log: ({ query }) => {
        statements.push(query.sql);
      },
    });
    await db.schema
      .createTable("t")
      .addColumn("n", "integer", (column) => column.unique())
      .execute();
    const group = new GroupCommit(db);
    const put = (n: number) => group.write((trx) => trx.insertInto("t").values({ n }).execute());
    const found = async () => (await db.selectFrom("t").select("n").execute()).map(({ n }) => n);
    return { group, put, found, commits: () => statements.filter((text) => text === "commit").length };
  }

  test("are one transaction, in their order", async () => {
    const { put, found, commits } = await watched();
    await Promise.all([5, 3, 4, 1, 2].map(put));
    expect(await found()).toEqual([5, 3, 4, 1, 2]);
    expect(commits()).toBe(1);
  });

  test("are each judged by itself where one of them fails", async () => {
    const { put, found } = await watched();
    const results = await Promise.allSettled([1, 2, 1, 3].map(put));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(await found()).toEqual([1, 2, 3]);
  });

  test("are all written before idle returns", async () => {
    const { group, put, found } = await watched();
    void put(1);
    await group.idle();
    expect(await found()).toEqual([1]);
  });
});

longTest("of several processes that open a new store at once, each gets it whole", async () => {
  const file = storeFile();
  const openers = [1, 2, 3, 4].map((number) =>
    startScript(
      `const { openStore } = await built("adapters/store/open-store.js");
       const { SqlInbox } = await built("adapters/store/sql-inbox.js");
       const inbox = new SqlInbox(await openStore(args[0]));
       for (let n = 0; n < 20; n += 1)
         await inbox.add({ id: args[1] + "-" + n, name: "x", lane: "work", key: "k", payload: "{}" });
       console.log("added");`,
      file,
      `${number}`,
    ),
  );
  expect(await Promise.all(openers.map((opener) => opener.line()))).toEqual(openers.map(() => "added"));
  const { db } = await testStore(file);
  expect(await db.selectFrom("jobs").select("id").where("state", "=", "waiting").execute()).toHaveLength(1);
  expect(await db.selectFrom("jobs").select("id").execute()).toHaveLength(80);
});
