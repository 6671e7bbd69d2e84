import { Command, CommanderError } from "commander";
import { packageVersion } from "../adapters/project/package-version.js";
import { plainLines } from "../lib/plain-text.js";
import { EXIT_CODE_MEANINGS } from "./text/exit-codes.js";
import { addHelp } from "./text/help.js";
import type { Terminal } from "./text/terminal.js";

export interface Surface {
  readonly program: Command;
  readonly terminal: Terminal;
  readonly version: string;
  /** Sets the exit code of a command that ends without an exception. */
  readonly exit: (code: number) => void;
}

type Add = (surface: Surface) => void;

/**
 * What each module adds, in the order of the help page. Loading all of them takes longer than most commands run,
 * so a command line that begins with one of these verbs loads its own module and no other.
 */
const COMMANDS: readonly (readonly [verbs: readonly string[], load: () => Promise<Add>])[] = [
  [["init"], async () => (await import("./commands/init.js")).addInit],
  [["validate"], async () => (await import("./commands/validate.js")).addValidate],
  [["doctor"], async () => (await import("./commands/doctor.js")).addDoctor],
  [["gate"], async () => (await import("./commands/gate.js")).addGate],
  [["plan"], async () => (await import("./commands/plan.js")).addPlan],
  [["run"], async () => (await import("./commands/run.js")).addRun],
  [["list"], async () => (await import("./commands/list.js")).addList],
  [["status"], async () => (await import("./commands/status.js")).addStatus],
  [
    ["drain", "resize", "nudge", "stop", "retry", "hold", "unhold", "inject"],
    async () => (await import("./commands/control.js")).addControl,
  ],
  [["land", "merge"], async () => (await import("./commands/land.js")).addLand],
  [["review-pr"], async () => (await import("./commands/pulls/review-pr.js")).addReviewPr],
  [["pr-sync"], async () => (await import("./commands/pulls/pr-sync.js")).addPrSync],
  [["show", "diff"], async () => (await import("./commands/show.js")).addShow],
  [["tail"], async () => (await import("./commands/tail.js")).addTail],
  [["log"], async () => (await import("./commands/record/log.js")).addLog],
  [["verify"], async () => (await import("./commands/record/verify.js")).addVerify],
  [["report"], async () => (await import("./commands/record/report.js")).addReport],
  [["ledger"], async () => (await import("./commands/record/ledger.js")).addLedger],
  [["gc"], async () => (await import("./commands/gc.js")).addGc],
  [["project"], async () => (await import("./commands/project.js")).addProject],
  [["signing"], async () => (await import("./commands/signing.js")).addSigning],
  [["serve"], async () => (await import("./commands/serve.js")).addServe],
  [["inbox"], async () => (await import("./commands/inbox.js")).addInbox],
  [["sandbox"], async () => (await import("./commands/sandbox.js")).addSandbox],
  [["demo"], async () => (await import("./commands/demo.js")).addDemo],
  // These look at all the others.
  [[], async () => (await import("./commands/completion.js")).addCompletion],
  [["version"], async () => addVersion],
];

/** The command line, as far as `argv` needs it. A command that fails throws; commander's own complaints are `CommanderError`s. */
export async function buildProgram(
  argv: readonly string[],
  terminal: Terminal,
  exit: (code: number) => void,
): Promise<Command> {
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
  const verb = verbOf(argv);
  const own = COMMANDS.filter(([verbs]) => verbs.includes(verb));
  for (const [, load] of own.length > 0 ? own : COMMANDS) (await load())(surface);
  // Last, because it takes in hand every command that is there.
  addHelp(program);
  return program;
}

/** The first word that is neither an option nor what the one option with a value is given. */
function verbOf(argv: readonly string[]): string {
  const words = argv[0] === "--project" ? argv.slice(2) : argv;
  return words.find((word) => !word.startsWith("--project=")) ?? "";
}

function addVersion({ program, terminal, version }: Surface): void {
  program
    .command("version")
    .description("print the version")
    .action(() => terminal.out(version));
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
