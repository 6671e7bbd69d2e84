import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";

export const workFileAdvice = {
  link: (path: string): Advice => ({
    message: `${path} is a link, and could lead to files that a branch changes`,
    hint: "replace the link by the folder .koryph and the work file themselves",
  }),
  notAFolder: (path: string): Advice => ({
    message: `${path} is not a folder`,
    hint: "move it out of the way: koryph keeps the work file in a folder of that name",
  }),
  notAFile: (path: string): Advice => ({
    message: `${path} is not a regular file`,
    hint: "move it out of the way, and write one bead per line into a file of that name",
  }),
  gitFailed: (path: string, problem: string): Advice => ({
    message: `git cannot say whether ${path} is tracked: ${plainText(problem)}`,
    hint: "run `git status` in the project folder and mend what it reports",
  }),
  unwritable: (path: string, problem: string): Advice => ({
    message: `${path} cannot be written: ${plainText(problem)}`,
    hint: "mend the folder's permissions or make room on the disk; the file is as it was",
  }),
  commentsNoList: (path: string, id: string): Advice => ({
    message: `${path}: the comments of bead ${id} are not a list`,
    hint: "make them a list, or remove the field; nothing was changed",
  }),
  restless: (path: string): Advice => ({
    message: `${path} changes faster than koryph can write it`,
    hint: "find out what keeps rewriting it; the file is as that program left it",
  }),
};
