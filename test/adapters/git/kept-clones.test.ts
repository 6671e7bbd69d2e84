import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KeptClones } from "../../../src/adapters/git/pulls/kept-clones.js";
import { tempFolder } from "../../support/temp-folder.js";

function folderWith(...names: readonly string[]) {
  const folder = tempFolder();
  for (const [at, name] of names.entries()) {
    mkdirSync(join(folder, name, "repo.git", "objects"), { recursive: true });
    writeFileSync(join(folder, name, "repo.git", "objects", "pack"), "x".repeat(1000));
    utimesSync(join(folder, name), 1_000 + at, 1_000 + at);
  }
  return { folder, has: (name: string) => existsSync(join(folder, name)) };
}

test("the least recently used clones go until the rest fits, and a use counts", async () => {
  const { folder, has } = folderWith("1", "2", "3");
  const clones = new KeptClones(folder, 2_500);
  await clones.use("1", async () => {});
  expect(await clones.evict()).toEqual(["2"]);
  expect([has("1"), has("2"), has("3")]).toEqual([true, false, true]);
  expect(await clones.evict()).toEqual([]);
});

test("a clone in use stays, however small the quota, until nobody uses it", async () => {
  const { folder, has } = folderWith("1");
  const clones = new KeptClones(folder, 0);
  await clones.use("1", async () => {
    await clones.use("1", async () => {});
    expect(await clones.evict()).toEqual([]);
    expect(has("1")).toBe(true);
  });
  expect(await clones.evict()).toEqual(["1"]);
  expect(has("1")).toBe(false);
});

test("whoever wants a clone that is being removed gets a new one", async () => {
  const { folder, has } = folderWith("1");
  const clones = new KeptClones(folder, 0);
  const evicting = clones.evict();
  await clones.use("1", async () => {
    mkdirSync(join(folder, "1"), { recursive: true });
    await evicting;
    expect(has("1")).toBe(true);
  });
});

test("there need not be any folder", async () => {
  const clones = new KeptClones(join(tempFolder(), "none"), 0);
  expect(await clones.use("1", async () => 7)).toBe(7);
  expect(await clones.evict()).toEqual([]);
});
