import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "../temp-folder.js";

export const baseProject = {
  schema_version: 1,
  project_id: "shop",
  work_source: "file",
  area_map: { api: ["src/api"], docs: ["docs"] },
  gate: ["true"],
  // What a test sees is then the same on every machine; those of containment say what they want.
  containment: "off",
};

export interface ProjectSeed {
  /** Keys laid over the base project, or the file's very text. */
  readonly config?: object | string;
  /** Beads, or the work file's very text; absent means no work file. */
  readonly beads?: readonly object[] | string;
}

/** A real repository with a project file and a work file. */
export function project(seed: ProjectSeed = {}): string {
  const root = tempFolder();
  git(root, "init", "--quiet", "--initial-branch=main");
  const { config = {}, beads } = seed;
  writeFileSync(
    join(root, "koryph.project.json"),
    typeof config === "string" ? config : JSON.stringify({ ...baseProject, ...config }),
  );
  if (beads !== undefined) {
    mkdirSync(join(root, ".koryph"));
    const text =
      typeof beads === "string" ? beads : beads.map((bead) => `${JSON.stringify(bead)}\n`).join("");
    writeFileSync(join(root, ".koryph/beads.jsonl"), text);
  }
  return root;
}

export function git(root: string, ...args: string[]): string {
  return execFileSync("git", args, {
    cwd: root,
    encoding: "utf8",
    env: {
      PATH: process.env.PATH,
      HOME: root,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "Test",
      GIT_AUTHOR_EMAIL: "test@example.invalid",
      GIT_COMMITTER_NAME: "Test",
      GIT_COMMITTER_EMAIL: "test@example.invalid",
    },
  });
}
