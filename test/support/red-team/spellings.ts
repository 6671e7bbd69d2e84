import { BRANCH_SPELLINGS } from "./branch-spellings.js";
import { PUSH_SPELLINGS } from "./push-spellings.js";
import { SECRET_SPELLINGS } from "./secret-spellings.js";
import type { Spelling } from "./spelling.js";
import { WRITE_SPELLINGS } from "./write-spellings.js";

/** Every spelling that guard and sandbox are tried with. */
export const SPELLINGS: readonly Spelling[] = [
  ...PUSH_SPELLINGS,
  ...BRANCH_SPELLINGS,
  ...SECRET_SPELLINGS,
  ...WRITE_SPELLINGS,
];
