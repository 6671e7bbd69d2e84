import type { Advice } from "../../lib/user-error.js";
import type { Problem } from "../config/problems.js";
import { SCHEMA_VERSION } from "../config/project-schema.js";

export const PROJECT_FILE = "koryph.project.json";

export const projectAdvice = {
  absent: (folder: string): Advice => ({
    message: `${PROJECT_FILE} was not found in ${folder} or above it, up to the repository's top`,
    hint: "run `koryph init` to write a starter file, or point at a project with --project <folder>",
  }),
  unreadable: (path: string, problem: string): Advice => ({
    message: `${path} cannot be read: ${problem}`,
    hint: "mend the file, then run `koryph validate`",
  }),
  newer: (path: string, version: number, running: string): Advice => ({
    message: `${path} has schema_version ${version}, and koryph ${running} reads up to ${SCHEMA_VERSION}`,
    hint: "upgrade koryph: npm install --global koryph@latest",
  }),
  tooOld: (path: string, floor: string, running: string): Advice => ({
    message: `${path} asks for koryph ${floor}, and this is ${running}`,
    hint: "upgrade koryph: npm install --global koryph@latest",
  }),
  wrong: (path: string, problems: readonly Problem[]): Advice => ({
    message: [
      `${path} has ${problems.length === 1 ? "1 problem" : `${problems.length} problems`}:`,
      ...problems.map(({ key, found, need }) => `  ${key}: found ${found}, needed ${need}`),
    ].join("\n"),
    hint: "docs/configuration.md lists every key",
  }),
  unwritable: (path: string, problem: string): Advice => ({
    message: `${path} cannot be written: ${problem}`,
    hint: "mend the folder's permissions and try again",
  }),
  exists: (path: string): Advice => ({
    message: `${path} exists already, and koryph never overwrites it`,
    hint: "run `koryph validate` to check it, or remove it first",
  }),
};
