import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openHome } from "../../../src/adapters/home/koryph-home.js";
import { RunFolders } from "../../../src/adapters/home/run-folders.js";
import { tempFolder } from "../../support/temp-folder.js";

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

test("a line longer than what is read at once is passed over in pieces, and what follows it is read", async () => {
  const folders = await withOutput(`${"x".repeat(2.5 * 1024 * 1024)}\nnext\n`);
  const pieces: (readonly string[])[] = [];
  for (let from = 0, before = -1; from !== before; ) {
    const { lines, next } = await folders.readOutput(PLACE, from);
    pieces.push(lines);
    [before, from] = [from, next];
  }
  expect(pieces.map((lines) => lines.map((line) => line.length))).toEqual([
    [1024 * 1024],
    [1024 * 1024],
    [512 * 1024, 4],
    [],
  ]);
});

test("a reviewer's home is its own, and a worker's is the same for all attempts", async () => {
  const folders = await withOutput("");
  const later = { ...PLACE, attempt: 2 };
  expect(folders.home(later)).toBe(folders.home(PLACE));
  expect(folders.home(later, "reviewer")).not.toBe(folders.home(later));
});

test("the homes of a bead go, its reviewers' too, and nothing else of it", async () => {
  const folders = await withOutput("kept");
  const other = { ...PLACE, bead: "b-2" };
  const later = { ...PLACE, run: "r-2", attempt: 3 };
  const homes = [folders.home(PLACE), folders.home(PLACE, "reviewer"), folders.home(later, "reviewer")];
  for (const home of [...homes, folders.home(other)]) {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "cache"), "x");
  }
  await folders.dropHomes("b-1");
  await folders.dropHomes("b-1");
  expect(homes.filter((home) => existsSync(home))).toEqual([]);
  expect(existsSync(folders.home(other))).toBe(true);
  expect(await folders.readOutput(PLACE, 0, true)).toMatchObject({ lines: ["kept"] });
});

test("of many long nudges the inbox keeps what fits, and says what it left out", async () => {
  const folders = await withOutput("");
  await folders.deliver(PLACE, "k0", "FIRST IMPORTANT");
  for (let index = 1; index <= 10; index += 1)
    await folders.deliver(PLACE, `k${index}`, `nudge ${index} ${"x".repeat(120_000)}`);
  const inbox = readFileSync(join(folders.agentFolder(PLACE), "INBOX.md"), "utf8");
  expect(inbox.length).toBeLessThanOrEqual(1024 * 1024);
  expect(inbox.match(/^(FIRST IMPORTANT|nudge \d+|\(A message.*)/gm)).toEqual([
    "FIRST IMPORTANT",
    ...Array.from({ length: 2 }, () => expect.stringContaining("left out")),
    ...Array.from({ length: 8 }, (_, index) => `nudge ${index + 3}`),
  ]);
});
