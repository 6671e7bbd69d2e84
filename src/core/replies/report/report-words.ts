import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";

export const reportAdvice = {
  noRun: (run: string | null, known: readonly string[]): Advice =>
    run === null
      ? { message: "no run is on record yet", hint: "`koryph run` begins one" }
      : {
          message: `the ledger tells of no run ${plainText(run)}`,
          hint:
            known.length === 0
              ? "no run is on record yet: `koryph run` begins one"
              : `it tells of ${known.slice(-5).map(plainText).join(", ")}; leave --run out for the newest`,
        },
  unwritable: (path: string, problem: string): Advice => ({
    message: `${plainText(path)} could not be written: ${plainText(problem)}`,
    hint: "name a file in a folder that you can write with --out",
  }),
};

export function writtenLine(run: string, path: string): string {
  return `run ${plainText(run)} is in ${plainText(path)}; open it in a browser`;
}
