import { expect, test } from "vitest";
import { AppMemory } from "../../../src/adapters/store/app-memory.js";
import { openStore } from "../../../src/adapters/store/open-store.js";
import { storeFile, testStore } from "../../support/app/store.js";

const COMMENT = "o/r comment 123";
const HOUR = 3_600_000;

async function memory(): Promise<AppMemory> {
  return new AppMemory(await testStore());
}

test("a comment is handled once it was marked, also when it is marked twice", async () => {
  const it = await memory();
  expect(await it.handled(COMMENT)).toBe(false);
  await it.markHandled(COMMENT, 1);
  await it.markHandled(COMMENT, 2);
  expect(await it.handled(COMMENT)).toBe(true);
  expect(await it.handled("o/r comment 124")).toBe(false);
});

test("an intended reply is known before it has an id, and keeps the id it got", async () => {
  const it = await memory();
  expect(await it.replyOf(COMMENT)).toBeNull();
  await it.intendReply(COMMENT);
  expect(await it.replyOf(COMMENT)).toEqual({ id: null });
  await it.setReply(COMMENT, 3_000_000_017);
  await it.intendReply(COMMENT);
  expect(await it.replyOf(COMMENT)).toEqual({ id: 3_000_000_017 });
});

test("uses are those of the user and those on the thread, each comment once", async () => {
  const it = await memory();
  const use = { repository: "o/r", user: "ann", thread: 1, at: 10, refused: false };
  await it.use({ ...use, comment: "own, elsewhere", thread: 2 });
  await it.use({ ...use, comment: "another's, here", user: "bob", at: 11 });
  await it.use({ ...use, comment: "another's, here", user: "bob", at: 99 });
  await it.use({ ...use, comment: "another's, elsewhere", user: "bob", thread: 2 });
  await it.use({ ...use, comment: "other repository", repository: "o/s" });
  await it.use({ ...use, comment: "long ago", at: 4 });
  expect((await it.uses("o/r", "ann", 1, 5)).map(({ comment, at }) => [comment, at])).toEqual([
    ["own, elsewhere", 10],
    ["another's, here", 11],
  ]);
});

test("a comment that was refused stays refused", async () => {
  const it = await memory();
  const use = { comment: COMMENT, repository: "o/r", user: "ann", thread: 1, at: 10, refused: false };
  await it.use(use);
  await it.use({ ...use, refused: true });
  await it.use(use);
  expect(await it.uses("o/r", "ann", 1, 0)).toEqual([{ ...use, refused: true }]);
});

test("what was decided about a command is known until something else is", async () => {
  const it = await memory();
  expect(await it.decided(COMMENT, 0)).toBeNull();
  await it.decide(COMMENT, 0, "this", 1);
  await it.decide(COMMENT, 1, "that", 1);
  expect([await it.decided(COMMENT, 0), await it.decided(COMMENT, 1)]).toEqual(["this", "that"]);
  await it.decide(COMMENT, 0, "something else", 2);
  expect(await it.decided(COMMENT, 0)).toBe("something else");
  await it.forget(2);
  expect([await it.decided(COMMENT, 0), await it.decided(COMMENT, 1)]).toEqual(["something else", null]);
});

test("how often a delivery was asked for is counted", async () => {
  const it = await memory();
  expect(await it.asked("guid")).toBe(0);
  await it.noteAsked("guid", 1);
  await it.noteAsked("guid", 2);
  expect(await it.asked("guid")).toBe(2);
});

test("a linked account is what was saved last, byte for byte, until it is dropped", async () => {
  const it = await memory();
  const sealed = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const account = { host: "github.com", userId: 7, login: "ann", sealed, linkedAt: 5 };
  await it.saveAccount({ ...account, sealed: new Uint8Array(3) });
  await it.saveAccount(account);
  expect(await it.account("github.com", 7)).toEqual(account);
  expect(await it.account("ghe.example", 7)).toBeNull();
  expect(await it.dropAccount("github.com", 7)).toBe(true);
  expect(await it.dropAccount("github.com", 7)).toBe(false);
  expect(await it.account("github.com", 7)).toBeNull();
});

test("birth and sweeps survive a restart", async () => {
  const file = storeFile();
  const first = await openStore(file, 1234);
  await new AppMemory(first).noteSweep("pulls", 50);
  await new AppMemory(first).noteSweep("pulls", 60);
  await first.close();
  const it = new AppMemory(await testStore(file));
  expect(await it.bornAt()).toBe(1234);
  expect(await it.lastSweep("pulls")).toBe(60);
  expect(await it.lastSweep("deliveries")).toBeNull();
});

test("forgetting takes what is old and leaves accounts", async () => {
  const it = await memory();
  for (const [comment, at] of [
    ["old", HOUR],
    ["new", 2 * HOUR],
  ] as const) {
    await it.markHandled(comment, at);
    await it.intendReply(comment, at);
    await it.use({ comment, repository: "o/r", user: "ann", thread: 1, at, refused: false });
    await it.noteAsked(comment, at);
  }
  await it.saveAccount({ host: "h", userId: 1, login: "a", sealed: new Uint8Array(1), linkedAt: 0 });
  await it.forget(2 * HOUR);
  for (const [comment, there] of [
    ["old", false],
    ["new", true],
  ] as const) {
    expect(await it.handled(comment)).toBe(there);
    expect((await it.replyOf(comment)) !== null).toBe(there);
    expect((await it.asked(comment)) > 0).toBe(there);
  }
  expect(await it.uses("o/r", "ann", 1, 0)).toHaveLength(1);
  expect(await it.account("h", 1)).not.toBeNull();
});
