import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";

/** What keeps a run from being shown on GitHub; the run itself goes on. */
export const reportTrouble = {
  away: (why: string): string =>
    `GitHub does not take the report of this run just now; the run goes on, and koryph tries again: ${cutText(plainText(why), 300)}`,
  notAllowed: (): string =>
    "this run is not shown as a check run: the token may write none; give the job the permission checks: write",
};
