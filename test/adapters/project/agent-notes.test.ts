import { join } from "node:path";
import { expect, test } from "vitest";
import { agentNotes } from "../../../src/adapters/project/agent-notes.js";
import { commit, git } from "../../support/engine/clone-world.js";
import { tempFolder } from "../../support/temp-folder.js";

function repository(files: Readonly<Record<string, string>>): string {
  const root = tempFolder();
  git(root, "init", "--quiet", "--template=", "--initial-branch=main");
  commit(root, "first", { "a.txt": "a\n", ...files });
  return join(root, ".git");
}

test("the notes for every kind of agent are given, one after the other", async () => {
  const kept = repository({ "CLAUDE.md": "Keep functions short.\n", "AGENTS.md": "Use tabs.\n" });
  expect(await agentNotes(kept, "main")).toBe("Use tabs.\n\n\nKeep functions short.\n");
});

test("one text under two names is given once", async () => {
  const kept = repository({ "CLAUDE.md": "Use tabs.\n", "AGENTS.md": "Use tabs.\n" });
  expect(await agentNotes(kept, "main")).toBe("Use tabs.\n");
});

test("without notes there is nothing to give", async () => {
  expect(await agentNotes(repository({}), "main")).toBe("");
});
