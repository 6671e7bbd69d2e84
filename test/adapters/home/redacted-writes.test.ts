import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { openHome } from "../../../src/adapters/home/koryph-home.js";
import { RunFolders } from "../../../src/adapters/home/run-folders.js";
import { BdSource } from "../../../src/adapters/work/bd-source.js";
import { FileSource, WORK_FILE } from "../../../src/adapters/work/file-source.js";
import type { WorkSource } from "../../../src/ports/work-source.js";
import { fakeBd } from "../../support/cli/fake-bd.js";
import { git } from "../../support/cli/project.js";
import { tempFolder } from "../../support/temp-folder.js";

const TOKEN = "ghp_0123456789abcdefghij0123456789";

afterEach(() => {
  vi.unstubAllEnvs();
});

function fromFile(): { source: WorkSource; written: () => string } {
  const root = tempFolder();
  git(root, "init", "--quiet");
  mkdirSync(join(root, ".koryph"));
  writeFileSync(join(root, WORK_FILE), '{"id":"b-1","title":"One","status":"open"}\n');
  return { source: new FileSource(root), written: () => readFileSync(join(root, WORK_FILE), "utf8") };
}

function fromBd(): { source: WorkSource; written: () => string } {
  const bd = fakeBd([{ id: "b-1", title: "One", status: "open" }], {});
  return { source: new BdSource(bd.folder), written: () => JSON.stringify([bd.beads(), bd.writes()]) };
}

test.each([
  ["the work file", fromFile],
  ["bd", fromBd],
])("%s gets comments and reasons without the secrets in them", async (_, open) => {
  const { source, written } = open();
  await source.comment("b-1", `blocked: push with ${TOKEN}`, "k");
  await source.close("b-1", `done with ${TOKEN}`);
  expect(written()).toContain("push with [redacted]");
  expect(written()).toContain("done with [redacted]");
  expect(written()).not.toContain(TOKEN);
});

test("a report for the next agent holds no secret", async () => {
  const folders = new RunFolders(await openHome({ KORYPH_HOME: tempFolder() }), "p");
  const place = { run: "r-1", bead: "b-1", attempt: 1 };
  await folders.writeReport(place, "gate", `the gate said ${TOKEN}`);
  expect(await folders.readReport(place, "gate")).toBe("the gate said [redacted]");
});
