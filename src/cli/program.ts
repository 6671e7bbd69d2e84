import { Command, CommanderError } from "commander";
import { packageVersion } from "../adapters/project/package-version.js";
import { plainLines } from "../lib/plain-text.js";
import { addCompletion } from "./completion.js";
import { addControl } from "./control.js";
import { addDemo } from "./demo.js";
import { EXIT_CODE_MEANINGS } from "./exit-codes.js";
import { addGc } from "./gc.js";
import { addInit } from "./init.js";
import { addLater } from "./later.js";
import { addLedger } from "./ledger.js";
import { addLog } from "./log.js";
import { addPlan } from "./plan.js";
import { addProject } from "./project.js";
import { addRun } from "./run.js";
import { addStatus } from "./status.js";
import { addTail } from "./tail.js";
import type { Terminal } from "./terminal.js";
import { addValidate } from "./validate.js";

export interface Surface {
  readonly program: Command;
  readonly terminal: Terminal;
  readonly version: string;
  /** Sets the exit code of a command that ends without an exception. */
  readonly exit: (code: number) => void;
}

/** The whole command line. A command that fails throws; commander's own complaints are `CommanderError`s. */
export function buildProgram(terminal: Terminal, exit: (code: number) => void): Command {
  const version = packageVersion();
  const program = new Command("koryph")
    .description("Turns a backlog into conflict-free waves of coding agents, and lands what passes.")
    .version(version, "-V, --version", "print the version")
    .option("--project <folder>", "the project to work on, instead of the one around this folder")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help for a command")
    .showHelpAfterError("koryph --help shows what there is.")
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
      outputError: (text, write) => write(plainLines(text.replace(/^error: /, "koryph: "))),
    })
    // Before any subcommand: they copy these settings when they are made.
    .exitOverride((error) => {
      throw new CommanderError(error.exitCode, error.code, error.message);
    })
    .addHelpText("after", afterHelp());

  const surface: Surface = { program, terminal, version, exit };
  addInit(surface);
  addValidate(surface);
  addPlan(surface);
  addRun(surface);
  addStatus(surface);
  addControl(surface);
  addTail(surface);
  addLog(surface);
  addLedger(surface);
  addGc(surface);
  addProject(surface);
  addDemo(surface);
  addCompletion(surface);
  program
    .command("version")
    .description("print the version")
    .action(() => terminal.out(version));
  addLater(surface);
  return program;
}

function afterHelp(): string {
  const codes = EXIT_CODE_MEANINGS.map(([code, meaning]) => `  ${code}  ${meaning}`);
  return [
    "",
    "First steps:",
    "  koryph demo            see it work on a throw-away repository",
    "  koryph init            make this repository a project",
    "  koryph plan audit      what stands in the way of parallel work",
    "  koryph run --dry-run   what would be dispatched now, and why the rest would not",
    "",
    "Exit codes:",
    ...codes,
  ].join("\n");
}
