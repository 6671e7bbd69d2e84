import { Command, CommanderError, Help } from "commander";
import { packageVersion } from "../adapters/project/package-version.js";
import { plainLines } from "../lib/plain-text.js";
import { COMMANDS, type CommandRow } from "./command-table.js";
import { EXIT_CODE_MEANINGS } from "./text/exit-codes.js";
import { addHelp } from "./text/help.js";
import type { Terminal } from "./text/terminal.js";

export interface Surface {
  readonly program: Command;
  readonly terminal: Terminal;
  readonly version: string;
  /** Sets the exit code of a command that ends without an exception. */
  readonly exit: (code: number) => void;
  /** For whoever looks at the options and subcommands of all commands. */
  readonly loadAll: () => Promise<void>;
}

/**
 * The command line. Each command is there by name; the rest of it is loaded when it is used or asked about, because
 * loading all of them takes longer than most commands run. A command that fails throws; commander's own complaints are
 * `CommanderError`s.
 */
export function buildProgram(terminal: Terminal, exit: (code: number) => void): Surface {
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

  const rows = new Map(COMMANDS.map((row) => [commandOf(row, program), row]));
  const loaded = new Set<Command>();
  const load = async (command: Command) => {
    const row = rows.get(command);
    if (row === undefined || loaded.has(command)) return;
    loaded.add(command);
    (await row.load())(command, surface);
    addHelp(command);
  };
  const loadAll = async () => {
    for (const command of rows.keys()) await load(command);
  };
  const surface: Surface = { program, terminal, version, exit, loadAll };
  program.hook("preSubcommand", (_, command) => load(command));
  addHelp(program, load);
  program.configureHelp({ subcommandTerm: (command) => termOf(command, rows.get(command)) });
  return surface;
}

function commandOf({ name, alias, args = [], description }: CommandRow, program: Command): Command {
  const command = program.command(name).description(description);
  if (alias !== undefined) command.alias(alias);
  for (const argument of args) command.addArgument(argument);
  return command;
}

/** As commander writes it, which knows only of options that are loaded. */
function termOf(command: Command, row: CommandRow | undefined): string {
  const term = new Help().subcommandTerm(command);
  return row?.options && command.options.length === 0 ? term.replace(/^\S+/, "$& [options]") : term;
}

function afterHelp(): string {
  const codes = EXIT_CODE_MEANINGS.map(([code, meaning]) => `  ${code}  ${meaning}`);
  return [
    "",
    "First steps:",
    "  koryph demo            see it work on a throw-away repository",
    "  koryph init            make this repository a project",
    "  koryph doctor          what has to be mended before anything runs unattended",
    "  koryph gate            whether the gate is green before any agent works",
    "  koryph plan audit      what stands in the way of parallel work",
    "  koryph run --dry-run   what would be dispatched now, and why the rest would not",
    "",
    "Exit codes:",
    ...codes,
  ].join("\n");
}
