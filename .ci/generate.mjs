// Writes the files that are made from code. The contract tests fail when one of them is stale.
import { readFileSync, writeFileSync } from "node:fs";
import { configurationTable, projectSchemaText } from "../dist/core/config/project-docs.js";
import { commandsPage } from "../dist/core/replies/commands/commands-page.js";

writeFileSync("docs/schema/koryph.project.schema.json", projectSchemaText());
writeFileSync("docs/commands.md", commandsPage());

const path = "docs/configuration.md";
const page = readFileSync(path, "utf8");
const marks = /(<!-- keys: npm run generate -->\n)[\s\S]*(<!-- end of keys -->)/;
writeFileSync(
  path,
  page.replace(marks, (_, start, end) => `${start}${configurationTable()}${end}`),
);
