import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import type { Problem } from "../../config/problems.js";
import { PROJECT_FILE } from "../../config/project-file.js";
import { SCHEMA_VERSION } from "../../config/project-schema.js";

const UPGRADE = "pull a newer koryph and run `npm run build` in its folder";

export const projectAdvice = {
  absent: (folder: string): Advice => ({
    message: `${PROJECT_FILE} was not found in ${folder} or above it, up to the repository's top`,
    hint: "run `koryph init` to write a starter file, or point at a project with --project <folder>",
  }),
  noFolder: (path: string): Advice => ({
    message: `${path} does not exist`,
    hint: "name an existing folder with --project",
  }),
  notAFolder: (path: string): Advice => ({
    message: `${path} is not a folder`,
    hint: "name the folder that holds it with --project",
  }),
  unreachable: (path: string, problem: string): Advice => ({
    message: `${path} cannot be reached: ${plainText(problem)}`,
    hint: "mend its permissions, or name another folder with --project",
  }),
  startedNowhere: (): Advice => ({
    message: "the folder koryph was started in no longer exists",
    hint: "change to a folder that exists, or name one with --project",
  }),
  gitFailed: (root: string, problem: string): Advice => ({
    message: `git does not answer for ${root}: ${plainText(problem)}`,
    hint: "run `git status` in that folder and mend what it reports",
  }),
  noRepository: (root: string): Advice => ({
    message: `${root} is not in a git repository, and agents work in clones of one`,
    hint: `before the first run: git init, then git add ${PROJECT_FILE} and what belongs to it, then git commit`,
  }),
  noCommit: (root: string): Advice => ({
    message: `the repository of ${root} has no commit yet, and agents start from one`,
    hint: `before the first run: git add ${PROJECT_FILE} and what belongs to it, then git commit`,
  }),
  deadLink: (path: string): Advice => ({
    message: `${path} is a link that leads nowhere`,
    hint: "restore what it leads to, or remove it and run `koryph init`",
  }),
  unreadable: (path: string, problem: string): Advice => ({
    message: `${path} cannot be read: ${plainText(problem)}`,
    hint: "mend the file, then run `koryph validate`",
  }),
  newer: (path: string, version: number, running: string): Advice => ({
    message: `${path} has schema_version ${version}, and koryph ${running} reads up to ${SCHEMA_VERSION}`,
    hint: UPGRADE,
  }),
  tooOld: (path: string, floor: string, running: string): Advice => ({
    message: `${path} asks for koryph ${floor}, and this is ${running}`,
    hint: UPGRADE,
  }),
  wrong: (path: string, problems: readonly Problem[], docs: string): Advice => ({
    message: [
      `${path} has ${problems.length === 1 ? "1 problem" : `${problems.length} problems`}:`,
      ...problems.map(({ key, found, need }) => `  ${key}: found ${found}, needed ${need}`),
    ].join("\n"),
    hint: `${docs} lists every key`,
  }),
  taken: (id: string, there: string, folder: string): Advice => ({
    message: `project id ${id} belongs to ${plainText(there)} on this machine, which is another repository`,
    hint: `choose another project_id; to have ${id} here, delete that checkout or change its id, then move ${plainText(folder)} away`,
  }),
  wrongVariable: (name: string, value: string, need: string): Advice => ({
    message: `${name} is ${plainText(value)}, and it must be ${need}`,
    hint: "set it so, or leave it unset",
  }),
  unwritable: (path: string, problem: string): Advice => ({
    message: `${path} cannot be written: ${plainText(problem)}`,
    hint: "mend the folder's permissions and try again",
  }),
  inTheWay: (path: string, found: "a link" | "no folder"): Advice => ({
    message: `${path} is ${found}, and koryph writes nothing there`,
    hint: "move it out of the way and run `koryph init` again; nothing was changed",
  }),
  exists: (path: string): Advice => ({
    message: `${path} exists already, and koryph never overwrites it`,
    hint: "run `koryph validate` to check it, or remove it first",
  }),
};
