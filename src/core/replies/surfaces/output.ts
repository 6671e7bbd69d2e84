import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";

export const outputAdvice = {
  diskFull: (problem: string): Advice => ({
    message: `the disk is full: ${plainText(problem)}`,
    hint: "make room, then do the same again; what was recorded is kept",
  }),
  lost: (problem: string): Advice => ({
    message: `the results cannot be written: ${plainText(problem)}`,
    hint: "make room where the output goes, and look for what was done before you run it again",
  }),
};
