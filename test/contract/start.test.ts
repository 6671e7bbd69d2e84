import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Help } from "commander";
import { expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/command-table.js";
import { buildProgram } from "../../src/cli/program.js";
import { PLAIN } from "../../src/lib/paint.js";
import { koryphWith } from "../support/cli/koryph.js";
import { project } from "../support/cli/project.js";
import { tempFolder } from "../support/temp-folder.js";

const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));
const read = (file: string) => readFileSync(join(DIST, file), "utf8");

test("the first help page says [options] of those commands that have some, and loads none of them", async () => {
  const silent = { out: () => {}, err: () => {}, paint: PLAIN };
  const { program, loadAll } = buildProgram(silent, () => {});
  const page = program.helpInformation();
  expect(program.commands.flatMap(({ options }) => options)).toEqual([]);
  await loadAll();
  // As commander writes it by itself.
  program.configureHelp({ subcommandTerm: (command) => new Help().subcommandTerm(command) });
  expect(page).toBe(program.helpInformation());
});

/** What no command needs that only says something, or looks at a project. */
const HEAVY = [
  ...["app/", "engine/", "landing/", "pulls/", "sandbox/", "lib/markdown"],
  ...["github", "store", "work", "gate", "sign", "runtimes"].map((room) => `adapters/${room}/`),
  ...["execa/", "kysely/", "libsql", "mdast-util-", "micromark", "probot", "simple-git/"],
];
const OF_PROJECTS = ["cli/commands/", "cli/wiring/", "wiring/", "zod/"];

test.each([
  { args: ["--help"], most: 3, without: [...HEAVY, ...OF_PROJECTS] },
  { args: [], most: 3, without: [...HEAVY, ...OF_PROJECTS] },
  { args: ["help"], most: 3, without: [...HEAVY, ...OF_PROJECTS] },
  { args: ["version"], most: 3, without: [...HEAVY, ...OF_PROJECTS] },
  { args: ["--version"], most: 3, without: [...HEAVY, ...OF_PROJECTS] },
  { args: ["status"], most: 5, without: HEAVY },
  { args: ["status", "--json"], most: 6, without: HEAVY },
  { args: ["log"], most: 5, without: HEAVY },
])(
  "koryph $args loads at most $most files, and nothing that it has no use for",
  ({ args, most, without }) => {
    const files = filesOf(project(), args);
    const modules = files.flatMap(modulesIn);
    expect(modules).toContain("cli/command-table.js");
    expect(modules.filter((name) => without.some((start) => name.startsWith(start)))).toEqual([]);
    expect(files.length).toBeLessThanOrEqual(most);
  },
);

/** The files that a run of the built koryph loads. */
function filesOf(folder: string, args: readonly string[]): string[] {
  const records = tempFolder();
  // Node writes down there which scripts it has run.
  const { code, stderr } = koryphWith({ NODE_V8_COVERAGE: records }, folder, ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const scripts = readdirSync(records).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(records, name), "utf8"));
    return result as { readonly url: string }[];
  });
  return scripts.flatMap(({ url }) => (url.startsWith("file:") ? [fileURLToPath(url)] : []));
}

/** A file's own name when it was not bundled, else what was bundled into it: the bundler writes the names there. */
function modulesIn(file: string): string[] {
  const packaged = /\/node_modules\/(.*)$/.exec(file)?.[1];
  if (packaged !== undefined) return [packaged];
  const names = readFileSync(file, "utf8").matchAll(/^\/\/ (?:dist\.\d+|\S*\bnode_modules)\/(\S+)$/gm);
  return [...names].map(([, name = ""]) => name);
}

/** The packages that a built file brings along before anything runs. */
function packagesOf(file: string, seen = new Set<string>()): Set<string> {
  const packages = new Set<string>();
  if (seen.has(file)) return packages;
  seen.add(file);
  for (const [, from = ""] of read(file).matchAll(/^(?:import|export)\b.*?"([^"]+)";$/gm)) {
    if (from.startsWith("."))
      for (const name of packagesOf(join(dirname(file), from), seen)) packages.add(name);
    else if (!from.startsWith("node:")) packages.add(from);
  }
  return packages;
}

// Reading Probot takes longer than most commands run.
test("no command reads the App's packages before it needs them", () => {
  const [, table = ""] = /"\.\.\/(chunks\/command-line-[^"]+)"/.exec(read("cli/main.js")) ?? [];
  const commands = [...read(table).matchAll(/await import\("\.\/([^"]+)"\)\)\.add/g)];
  expect(commands.length).toBe(COMMANDS.length - 1);
  const starts = ["cli/main.js", "action/main.js", ...commands.map(([, file]) => `chunks/${file}`)];
  expect(starts.filter((file) => packagesOf(file).has("probot"))).toEqual([]);
});
