import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";

export const outputAdvice = {
  diskFull: (problem: string): Advice => ({
    message: `the disk is full: ${plainText(problem)}`,
    hint: "make room, then run the same command again; koryph keeps what it has recorded",
  }),
  lost: (problem: string): Advice => ({
    message: `koryph cannot write its results: ${plainText(problem)}`,
    hint: "make room where the output goes, and check what was done before you run it again",
  }),
};
