// Writes the files that are made from code. The contract tests fail when one of them is stale.
import { readFileSync, writeFileSync } from "node:fs";
import { configurationTable, projectSchemaText } from "../dist/core/config/project-docs.js";
import { commandsPage } from "../dist/core/replies/commands/commands-page.js";
import { layersTable } from "./layers-table.mjs";

writeFileSync("docs/schema/koryph.project.schema.json", projectSchemaText());
writeFileSync("docs/commands.md", commandsPage());

fill("docs/configuration.md", "keys", configurationTable());
fill("docs/security.md", "layers", layersTable());

/** Puts the text between the marks of a page. */
function fill(path, name, text) {
  const page = readFileSync(path, "utf8");
  const marks = new RegExp(`(<!-- ${name}: npm run generate -->\\n)[\\s\\S]*(<!-- end of ${name} -->)`);
  writeFileSync(
    path,
    page.replace(marks, (_, start, end) => `${start}${text}${end}`),
  );
}
