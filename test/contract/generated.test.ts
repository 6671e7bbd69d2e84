import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { configurationTable, projectSchemaText } from "../../src/core/config/project-docs.js";
import { ProjectConfig } from "../../src/core/config/project-schema.js";
import { commandsPage } from "../../src/core/replies/commands/commands-page.js";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("the published schema is the one the code reads with: npm run generate", () => {
  expect(read("docs/schema/koryph.project.schema.json")).toBe(projectSchemaText());
});

test("docs/configuration.md has a row for every key: npm run generate", () => {
  expect(read("docs/configuration.md")).toContain(configurationTable());
});

test("docs/commands.md is made from the table of commands: npm run generate", () => {
  expect(read("docs/commands.md")).toBe(commandsPage());
});

test("every key of the schema says what it means", () => {
  const silent = Object.entries(ProjectConfig.shape).filter(([, field]) => !field.description);
  expect(silent.map(([key]) => key)).toEqual([]);
});

test("docs/security.md shows what is on record of guard and sandbox: npm run generate", () => {
  const script = new URL("../../.ci/layers-table.mjs", import.meta.url).pathname;
  const table = execFileSync(process.execPath, [script], { encoding: "utf8" });
  expect(read("docs/security.md")).toContain(
    `<!-- layers: npm run generate -->\n${table}<!-- end of layers -->`,
  );
});
