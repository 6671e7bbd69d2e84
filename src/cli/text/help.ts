import type { Command } from "commander";
import { nearest } from "../../lib/nearest.js";

/** Brings what a command's module adds to it, where that is not there yet. */
type Load = (command: Command) => Promise<void>;

/**
 * Gives a command and those below it the help that commander's own leaves out: `help` for commands of commands, a word
 * about names that do not exist, the option that all commands share, and after a mistake the way to the right page.
 * To be called when all of them are there, and again for one that got more of them.
 */
export function addHelp(command: Command, load: Load = async () => {}): void {
  const path = pathOf(command);
  const [program] = path;
  command.showHelpAfterError(`${path.map((each) => each.name()).join(" ")} --help shows what there is.`);
  if (command !== program)
    command.configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: () => program.options.filter(({ long }) => long === "--project"),
    });
  if (command.commands.length > 0) addHelpCommand(command, load);
  for (const sub of command.commands) if (sub.name() !== "help") addHelp(sub);
}

/** From the program down to the command. */
function pathOf(command: Command): readonly [Command, ...Command[]] {
  return command.parent === null ? [command] : [...pathOf(command.parent), command];
}

function addHelpCommand(group: Command, load: Load): void {
  group.helpCommand(false);
  group
    .command("help")
    .description("show help for a command")
    .argument("[command...]", "the command, such as plan audit")
    .action(async (words: string[]) => {
      let found = group;
      for (const word of words) {
        const next = found.commands.find((command) => command.name() === word);
        if (next === undefined) return found.error(unknownCommand(word, found));
        await load(next);
        found = next;
      }
      found.help();
    });
}

function unknownCommand(word: string, group: Command): string {
  const known = group.createHelp().visibleCommands(group);
  const meant = nearest(
    word,
    known.map((command) => command.name()),
  );
  return `error: unknown command '${word}'${meant === null ? "" : `\n(Did you mean ${meant}?)`}`;
}
