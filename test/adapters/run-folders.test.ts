import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openHome } from "../../src/adapters/home/koryph-home.js";
import { RunFolders } from "../../src/adapters/home/run-folders.js";
import { tempFolder } from "../support/temp-folder.js";

const PLACE = { run: "r-1", bead: "b-1", attempt: 1 };

async function withOutput(text: string) {
  const folders = new RunFolders(await openHome({ KORYPH_HOME: tempFolder() }), "p");
  mkdirSync(folders.folder(PLACE), { recursive: true });
  writeFileSync(join(folders.folder(PLACE), "out.jsonl"), text);
  return folders;
}

test("what an agent wrote last counts without the end of its line, once it has ended", async () => {
  const folders = await withOutput('first\n{"blocking": true}');
  expect(await folders.readOutput(PLACE, 0)).toEqual({ lines: ["first"], next: 6 });
  const { lines, next } = await folders.readOutput(PLACE, 0, true);
  expect(lines).toEqual(["first", '{"blocking": true}']);
  expect(await folders.readOutput(PLACE, next, true)).toEqual({ lines: [], next });
});

test("a reviewer's home is its own, and a worker's is the same for all attempts", async () => {
  const folders = await withOutput("");
  const later = { ...PLACE, attempt: 2 };
  expect(folders.home(later)).toBe(folders.home(PLACE));
  expect(folders.home(later, "reviewer")).not.toBe(folders.home(later));
});
