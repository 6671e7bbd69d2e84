import { Help } from "commander";
import { expect, test } from "vitest";
import { buildProgram } from "../../src/cli/program.js";
import { PLAIN } from "../../src/lib/paint.js";

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
