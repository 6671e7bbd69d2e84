import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type CompileCache, keepCompiled } from "../../../src/cli/keep-compiled.js";
import { tempFolder } from "../../support/temp-folder.js";

/** Where a Node that can keep compiled code was told to keep it. */
function keptIn(env: NodeJS.ProcessEnv): string[] {
  const folders: string[] = [];
  keepCompiled({ enableCompileCache: (folder) => folders.push(folder) }, env);
  return folders;
}

function usedHome(path = tempFolder()): string {
  mkdirSync(join(path, "projects"), { recursive: true });
  return path;
}

test("compiled code is kept in koryph's home", () => {
  const home = usedHome();
  expect(keptIn({ KORYPH_HOME: home })).toEqual([join(home, "compiled")]);
});

test("without KORYPH_HOME the home is the one below the user's", () => {
  const user = tempFolder();
  const home = usedHome(join(user, ".koryph"));
  expect(keptIn({ HOME: user })).toEqual([join(home, "compiled")]);
});

test("a Node that keeps none is asked for nothing", () => {
  const before: CompileCache = {};
  expect(() => keepCompiled(before, { KORYPH_HOME: usedHome() })).not.toThrow();
});

test("whoever has no project yet gets no home for it", () => {
  const home = tempFolder();
  expect(keptIn({ KORYPH_HOME: home })).toEqual([]);
  expect(keptIn({ KORYPH_HOME: join(home, "absent") })).toEqual([]);
  expect(readdirSync(home)).toEqual([]);
});

test("a home that is no absolute path is left to the command to refuse", () => {
  expect(keptIn({ KORYPH_HOME: "somewhere" })).toEqual([]);
});
