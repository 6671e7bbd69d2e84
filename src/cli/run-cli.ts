import { inspect } from "node:util";
import { CommanderError } from "commander";
import { endStandingGits } from "../adapters/git/exec/standing-git.js";
import { outputAdvice } from "../core/replies/surfaces/output.js";
import { plainLines } from "../lib/plain-text.js";
import { UserError } from "../lib/user-error.js";
import { buildProgram } from "./program.js";
import { EXIT_CODES } from "./text/exit-codes.js";
import { sayAdvice } from "./text/say-advice.js";
import type { Terminal } from "./text/terminal.js";

/** Runs one command line and returns its exit code. Only a fault in koryph itself shows a stack. */
export async function runCli(argv: readonly string[], terminal: Terminal): Promise<number> {
  let code: number = EXIT_CODES.ok;
  try {
    const { program } = buildProgram(terminal, (result) => {
      code = result;
    });
    await program.parseAsync(argv.length === 0 ? ["--help"] : [...argv], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage;
    if (error instanceof UserError) {
      sayAdvice(terminal, error);
      return EXIT_CODES.failed;
    }
    const full = fullDisk(error);
    if (full !== null) {
      sayAdvice(terminal, outputAdvice.diskFull(full));
      return EXIT_CODES.failed;
    }
    terminal.err(plainLines(`koryph: this is a fault in koryph, please report it\n${inspect(error)}`));
    return EXIT_CODES.failed;
  } finally {
    // A command leaves nothing behind, also where the process goes on to the next one.
    endStandingGits();
  }
}

/** A disk can be full wherever something is written; null when that is not what went wrong. */
function fullDisk(error: unknown): string | null {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT" ? message : null;
}
