import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { homeMark } from "../../../src/adapters/home/home-mark.js";
import { tempFolder } from "../../support/temp-folder.js";

test("a home keeps its mark, and another one of the same name has another", async () => {
  const [one, other] = [join(tempFolder(), "shop"), join(tempFolder(), "shop")];
  for (const folder of [one, other]) mkdirSync(folder);
  const mark = await homeMark(one);
  expect(mark).toMatch(/^[0-9a-f-]{36}$/);
  expect(await homeMark(one)).toBe(mark);
  expect(await homeMark(other)).not.toBe(mark);
});

test("two processes that look at once agree, and leave nothing else behind", async () => {
  const folder = tempFolder();
  const marks = await Promise.all(Array.from({ length: 8 }, () => homeMark(folder)));
  expect(new Set(marks).size).toBe(1);
  expect(readdirSync(folder)).toEqual(["mark"]);
});

test("a home that is not there has none", async () => {
  expect(await homeMark(join(tempFolder(), "gone"))).toBe("");
});
