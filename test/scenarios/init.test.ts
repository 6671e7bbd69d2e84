import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { koryph } from "../support/koryph.js";
import { git } from "../support/project.js";
import { tempFolder } from "../support/temp-folder.js";

function repository(): string {
  const root = tempFolder();
  git(root, "init", "--quiet");
  return root;
}

test("init writes a file that validates, and keeps .koryph out of git", () => {
  const root = repository();
  expect(koryph(root, "init").code).toBe(0);
  expect(koryph(root, "validate").stdout).toContain("is fine");
  writeFileSync(join(root, ".koryph/beads.jsonl"), "");
  expect(git(root, "status", "--porcelain", "--untracked-files=all")).toBe("?? koryph.project.json\n");
});

test("init in a subfolder writes at the repository's top", () => {
  const root = repository();
  mkdirSync(join(root, "deep/down"), { recursive: true });
  koryph(join(root, "deep/down"), "init");
  expect(koryph(root, "validate").code).toBe(0);
});

test("init never overwrites", () => {
  const root = repository();
  writeFileSync(join(root, "koryph.project.json"), "mine");
  const { code, stderr } = koryph(root, "init");
  expect(stderr).toContain("never overwrites");
  expect(code).toBe(1);
  expect(readFileSync(join(root, "koryph.project.json"), "utf8")).toBe("mine");
});

test("--id and --gate go into the file, and a bad id is refused before anything is written", () => {
  const root = repository();
  expect(koryph(root, "init", "--id", "No Spaces").stderr).toContain("project_id");
  expect(koryph(root, "init", "--id", "shop", "--gate", "make lint", "make test").code).toBe(0);
  const { project_id, gate } = JSON.parse(readFileSync(join(root, "koryph.project.json"), "utf8"));
  expect({ project_id, gate }).toEqual({ project_id: "shop", gate: ["make lint", "make test"] });
});

test("what init suggests as a first bead works", () => {
  const root = repository();
  const bead =
    koryph(root, "init")
      .stdout.split("\n")
      .find((line) => line.trim().startsWith("{")) ?? "";
  writeFileSync(join(root, ".koryph/beads.jsonl"), bead);
  expect(koryph(root, "run", "--dry-run").stdout).toContain("task-1  P2  Describe the work");
});
